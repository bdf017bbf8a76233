import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordDay, statsHistory } from '../../lib/marketplace/history.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const at = (time: string) => new Date(`${time}Z`)
const lock = (value: bigint) => db.execute(`update totals set value_locked = ${value} where shard = 0`)

it('one of twenty runs at once records a day, and none changes it later', async () => {
  await db.execute('delete from totals')
  await db.execute('insert into totals (shard, agents, value_locked) values (0, 5, 7), (1, -2, 0)')
  const midnight = at('2026-11-20T00:00:00')
  const runs = await Promise.all(Array.from({ length: 20 }, () => recordDay(db, midnight)))
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(1)
  await lock(9n)
  expect(await recordDay(db, at('2026-11-20T23:50:00'))).toBe(0)
  expect(await statsHistory({ db, now: at('2026-11-20T23:59:00') }, 1)).toEqual([
    { day: '2026-11-20', takenAt: midnight, pioneers: 0, agents: 3, attestations: 0, valueLocked: 7n },
  ])
})

it('stores a total above 2^63 exactly', async () => {
  const whole = 2n * 9_223_372_036_854_775_807n + 1n
  await lock(whole)
  const now = at('2026-11-21T00:00:00')
  await recordDay(db, now)
  const [day] = await statsHistory({ db, now }, 1)
  expect(day?.valueLocked).toBe(whole)
})

it('reads the last days oldest first, without days on which no job ran', async () => {
  for (const day of ['2027-01-04', '2027-01-01', '2027-01-03']) await recordDay(db, at(`${day}T06:00:00`))
  const days = async (now: string, count: number) =>
    (await statsHistory({ db, now: at(now) }, count)).map(({ day }) => day)
  expect(await days('2027-01-04T23:00:00', 4)).toEqual(['2027-01-01', '2027-01-03', '2027-01-04'])
  expect(await days('2027-01-04T23:00:00', 3)).toEqual(['2027-01-03', '2027-01-04'])
  expect(await days('2027-01-05T00:00:00', 1)).toEqual([])
})
