import { expect, it } from 'vitest'
import { runScript } from '../support/process.ts'

it('runs the named tests under a new seed, and ends with the number of failures', async () => {
  const soak = runScript('soak', ['0.001', 'test/unit/cursor.test.ts'])
  expect(await soak.ended, soak.output()).toBe(0)
  expect(soak.output()).toMatch(/^round 1: SEED=\d+ npm run test\n/)
  expect(soak.output()).toMatch(/\n1 round, 0 failures\n$/)
})

it('explains a wrong command line', async () => {
  const soak = runScript('soak', ['vault'])
  expect(await soak.ended).toBe(2)
  expect(soak.output()).toContain('npm run soak [-- <minutes>]')
})
