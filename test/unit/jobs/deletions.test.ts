import { expect, it } from 'vitest'
import { deleteAll } from '../../../functions/jobs/daily.ts'

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

it('deletes what is old until nothing is, however much it is', async () => {
  const table = tableOf(345_678, 100)
  expect(await deleteAll(table.elapsed, table.deleteSome)).toEqual({ deleted: 345_678 })
  expect(table.left()).toBe(0)
  expect(await deleteAll(table.elapsed, table.deleteSome)).toEqual({ deleted: 0 })
})

it('leaves the rest to the next run when its time is up', async () => {
  const table = tableOf(345_678, 7_000)
  expect(await deleteAll(table.elapsed, table.deleteSome)).toEqual({ deleted: 30_000 })
  expect(await deleteAll(table.elapsed, table.deleteSome)).toEqual({ deleted: 30_000 })
})
