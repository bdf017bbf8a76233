import { expect, it } from 'vitest'
import { repeated } from '../../../lib/clock/job-steps.ts'

/** A table with so many old rows, of which each statement takes so long to delete. */
function tableOf(rows: number, tookMs: number) {
  let left = rows
  let ms = 0
  return {
    elapsed: () => ms,
    deleteSome: async (limit: number) => {
      const some = Math.min(limit, left)
      left -= some
      ms += tookMs
      return some
    },
    left: () => left,
  }
}

it('repeats until nothing is left', async () => {
  const table = tableOf(345_678, 100)
  expect(await repeated(table.elapsed, 10_000, table.deleteSome)).toEqual({ taken: 345_678, more: false })
  expect(table.left()).toBe(0)
  expect(await repeated(table.elapsed, 10_000, table.deleteSome)).toEqual({ taken: 0, more: false })
})

it('stops after forty statements', async () => {
  const table = tableOf(1_000_000, 1)
  expect(await repeated(table.elapsed, 10_000, table.deleteSome)).toEqual({ taken: 400_000, more: true })
})

it('stops when its time is up', async () => {
  const table = tableOf(345_678, 7_000)
  expect(await repeated(table.elapsed, 10_000, table.deleteSome)).toEqual({ taken: 30_000, more: true })
  expect(await repeated(table.elapsed, 10_000, table.deleteSome)).toEqual({ taken: 30_000, more: true })
})
