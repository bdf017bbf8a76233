import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { costOf, endOfFree, LOADS, OF_A_HIRE, rowsOfLoads } from '../../bench/plans.ts'

const read = (page: string) => readFileSync(join(import.meta.dirname, '../../../functions', page), 'utf8')

it('functions/plans.md has what the prices make of each load', () => {
  const page = read('plans.md')
  for (const row of rowsOfLoads()) expect(page).toContain(`${row}\n`)
})

it('a hire stores what functions/growth.md says, at most', () => {
  const page = read('growth.md')
  const kilobytes = (row: RegExp) =>
    (row.exec(page) ?? []).slice(1).reduce((sum, text) => sum + Number(text), 0)
  const hire = kilobytes(/\| hires, and their ends \| [\d,]+ \| ([\d.]+) KB \+ ([\d.]+) KB/)
  const charge = kilobytes(/\| charges, taken back \| [\d,]+ \| ([\d.]+) KB/)
  expect((hire + charge) * 1_000).toBeCloseTo(OF_A_HIRE.bytes)
})

it('costs grow with each load, and nobody fills the free plan', () => {
  const totals = LOADS.map((load) => costOf(load).total)
  expect(totals).toEqual(totals.toSorted((one, other) => one - other))
  expect(totals[0]).toBeCloseTo(5 + 3 * 0.25 * 0.106)
  expect(LOADS.map((load) => endOfFree(load)?.by)).toEqual([undefined, 'storage', 'storage'])
  // A database that never sleeps uses the free plan's compute up by itself.
  expect(endOfFree({ name: '', hires: 1, hours: 720, units: 0.25 })).toEqual({ day: 17, by: 'compute' })
})
