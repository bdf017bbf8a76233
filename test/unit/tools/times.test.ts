import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/key-files.ts'
import { shardOf, slowFirst } from '../../times/order.ts'
import { addTimes, RECORDED, readTimes } from '../../times/times.ts'

const TIMES = { a: 1, b: 10, c: 4, d: 4, e: 3 }
const files = ['e', 'd', 'new', 'c', 'b', 'a'].map((path) => ({ path }))
const pathsOf = (found: { path: string }[]) => found.map(({ path }) => path)

describe('the order of test files', () => {
  it('begins with a new file, then the slowest', () => {
    expect(pathsOf(slowFirst(files, TIMES))).toEqual(['new', 'b', 'c', 'd', 'e', 'a'])
  })

  it('gives each file to one shard, and each shard about the same time', () => {
    const shards = [1, 2].map((index) => pathsOf(shardOf(files, TIMES, { index, count: 2 })))
    expect(shards).toEqual([
      ['new', 'b', 'a'],
      ['c', 'd', 'e'],
    ])
  })
})

it('records the times of a run beside those of other files, without files that are gone', () => {
  const path = join(temporaryFolder(), 'times.json')
  writeFileSync(path, '')
  addTimes(path, { 'test/unit/tools/times.test.ts': 2, 'vitest.config.ts': 1 })
  addTimes(path, { 'vitest.config.ts': 3, 'test/unit/gone.test.ts': 4 })
  expect(readTimes(path)).toEqual({ 'test/unit/tools/times.test.ts': 2, 'vitest.config.ts': 3 })
  expect(readFileSync(path, 'utf8').endsWith('}\n')).toBe(true)
  expect(readTimes(join(path, '..', 'missing.json'))).toEqual({})
  expect(existsSync(RECORDED)).toBe(true)
})
