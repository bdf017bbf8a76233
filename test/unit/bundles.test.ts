import * as esbuild from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { bundleSize } from '../../lib/cli/deploy/wrangler.ts'
import { MARK } from '../../lib/cli/example/agents.ts'
import { buildWorkers } from '../../lib/local/build.ts'
import { INJECTED } from '../../lib/local/injected.ts'
import { readWorkers } from '../../lib/tools/wrangler.ts'
import { bundleOf, MOST_BYTES } from '../support/bundles.ts'
import { declares, TIME_LIMITS, withConstants } from '../support/worker-changes.ts'

const workers = readWorkers()
afterAll(() => esbuild.stop())

it('declares each time limit that tests lengthen in the code of a Worker', async () => {
  const scripts = (await buildWorkers()).map(({ script }) => script)
  for (const name of Object.keys(TIME_LIMITS))
    expect(scripts.filter((script) => declares(script, name)).length, name).toBeGreaterThan(0)
})

it('refuses to change a constant that the Worker does not declare', () => {
  expect(withConstants('injected("POLLS")', { POLLS: 2 })).toContain('"POLLS":2')
  expect(() => withConstants('injected("POLLS")', { POLL: 2 })).toThrow("has no injected('POLL')")
})

describe('bundles, gzipped and minified as wrangler uploads them', () => {
  it.each(workers)('$group stays within the ceiling', async (worker) => {
    expect(bundleSize(await bundleOf(worker))).toBeLessThan(MOST_BYTES)
  })

  it.each(workers.filter(({ group }) => ['agents', 'events', 'jobs'].includes(group)))(
    '$group refuses a webhook on a developer’s machine, and has no setting for it',
    async (worker) => {
      const { scripts, sources } = await bundleOf(worker)
      expect(sources).toContain('schema/webhook-url.ts')
      expect(sources.filter((source) => source.startsWith('lib/local/'))).toEqual([])
      expect(scripts).toHaveLength(1)
      const [script] = scripts
      expect(script).not.toContain('127.0.0.1')
      expect(script).not.toMatch(/ALLOW_|LOCAL_WEBHOOK/i)
    },
  )

  it.each(workers)('$group has no way to change its constants', async (worker) => {
    const { scripts } = await bundleOf(worker)
    for (const name of [INJECTED, ...Object.keys(TIME_LIMITS)]) expect(scripts.join()).not.toContain(name)
  })

  it.each(workers)('$group has nothing of the example market', async (worker) => {
    const { scripts, sources } = await bundleOf(worker)
    expect(sources.filter((source) => source.startsWith('lib/cli/'))).toEqual([])
    expect(MARK.length).toBeGreaterThan(5)
    expect(scripts.filter((script) => script.includes(MARK))).toEqual([])
  })
})
