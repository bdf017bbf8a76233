import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import * as postgres from '../../lib/db/functions.ts'
import { forgottenSince } from '../../lib/payments/rules.ts'
import { UNPAID_CHARGES } from '../../schema/values.ts'
import { useDatabase } from '../support/database.ts'
import { hiredAgent, outcomeOf } from '../support/payments.ts'
import { endHire, newWallet } from '../support/stored-agents.ts'

const DAY = 86_400_000
const hiredAt = new Date('2026-11-21T12:00:00.000Z')
const on = (days: number) => new Date(hiredAt.getTime() + days * DAY)

const database = useDatabase()
const { rows: query } = database

type Hire = Awaited<ReturnType<typeof hiredAgent>>
const hired = (how: Partial<Parameters<typeof hiredAgent>[1]> = {}) =>
  hiredAgent(database.db, { hiredAt, feeAmount: 5n, ...how })
const deleteOldCharges = async (now: Date, mostCharges = 10_000) => {
  const at = { endedBy: forgottenSince(now), mostHires: 5_000, mostCharges }
  return (await postgres.deleteUnpaidCharges.call(database.db, at)).deleted
}
const unpaidOf = async (owner: string) =>
  Number((await query('select unpaid_charges from wallet_quotas where wallet = $1', owner))[0]?.[0] ?? 0)
const left = async ({ id }: Hire) => (await query('select id from charges where hire_id = $1', id)).length
const periods = ({ id }: Hire) => query('select spent from hire_periods where hire_id = $1', id)
/** Records a charge that is then voided, paid or left as it is. */
async function charged(hire: Hire, then: 'recorded' | 'voided' | 'collected'): Promise<string> {
  const charge = await hire.charge(on(1))
  if (charge instanceof ApiError) throw charge
  if (then === 'voided') await hire.void(on(1), charge.id)
  if (then === 'collected')
    await query(
      "update charges set status = 'collected', collected_at = created_at, fee = 1 where id = $1",
      charge.id,
    )
  return charge.id
}

describe('an unpaid charge', () => {
  it('of a wallet exists a thousand times at most, including voided ones, in any race', async () => {
    const owner = newWallet()
    const hires = [await hired({ owner }), await hired({ owner })]
    const [first] = hires
    if (!first) throw new Error('nobody was hired')
    await charged(first, 'voided')
    expect(await unpaidOf(owner)).toBe(1)
    await query(
      'update wallet_quotas set unpaid_charges = $1 where wallet = $2',
      String(UNPAID_CHARGES - 5),
      owner,
    )
    const results = await Promise.all(
      hires.flatMap((hire) => Array.from({ length: 10 }, () => hire.charge(on(1)))),
    )
    expect(results.map(outcomeOf).toSorted()).toEqual([
      ...Array<string>(15).fill('quota_exceeded'),
      ...Array<string>(5).fill('recorded'),
    ])
    expect(await unpaidOf(owner)).toBe(UNPAID_CHARGES)
    // Refused charges left no rows, and spent nothing.
    expect((await Promise.all(hires.map(left))).reduce((sum, count) => sum + count)).toBe(6)
    expect(
      (await Promise.all(hires.map(periods))).flat(2).reduce((sum, spent) => sum + Number(spent), 0),
    ).toBe(25)
    const voided = results.find((result) => !(result instanceof ApiError))
    if (voided && 'id' in voided) await hires.find(({ id }) => id === voided.hireId)?.void(on(1), voided.id)
    expect(outcomeOf(await first.charge(on(1)))).toBe('quota_exceeded')
  })

  it('is deleted 120 days after the hire’s end, and no longer counts in the quota', async () => {
    const hire = await hired({ autoRenew: true, termDays: 1, budgetLimit: 500n })
    const charges = await Promise.all(Array.from({ length: 30 }, () => hire.charge(on(0.5))))
    for (const charge of charges.slice(0, 20))
      if (!(charge instanceof ApiError)) await hire.void(on(0.5), charge.id)
    // A refused charge leaves its period's row in every period.
    for (const day of [1.5, 2.5]) await hire.charge(on(day), { units: 1_000n })
    await endHire(database.db, { id: hire.id, wallet: hire.hirer, now: on(3) })
    await deleteOldCharges(on(122))
    expect(await left(hire)).toBe(30)
    await deleteOldCharges(on(124))
    await deleteOldCharges(on(124))
    expect(await left(hire)).toBe(0)
    expect(await periods(hire)).toEqual([])
    expect(await unpaidOf(hire.owner)).toBe(0)
  })

  it('goes in batches, two at once delete nothing twice, and what was paid stays', async () => {
    const hire = await hired()
    const paid = await charged(hire, 'collected')
    for (const then of ['recorded', 'voided', 'recorded', 'recorded'] as const) await charged(hire, then)
    await query('update wallet_quotas set unpaid_charges = 3 where wallet = $1', hire.owner)
    await endHire(database.db, { id: hire.id, wallet: hire.hirer, now: on(2) })
    const now = on(130)
    expect(await deleteOldCharges(now, 1)).toBe(1)
    const both = await Promise.all([deleteOldCharges(now, 2), deleteOldCharges(now, 2)])
    await deleteOldCharges(now)
    await deleteOldCharges(now)
    expect(both[0] + both[1]).toBeLessThanOrEqual(3)
    expect(await query('select id from charges where hire_id = $1', hire.id)).toEqual([[paid]])
    expect(await periods(hire)).toEqual([['5']])
    expect(await unpaidOf(hire.owner)).toBe(-1)
    expect(await query('select closed from hires where id = $1', hire.id)).toEqual([['t']])
  })

  it('stays while a signed collection may have paid it', async () => {
    const hire = await hired()
    const id = await charged(hire, 'recorded')
    await query('update charges set collection_id = gen_random_uuid() where id = $1', id)
    await endHire(database.db, { id: hire.id, wallet: hire.hirer, now: on(2) })
    await deleteOldCharges(on(130))
    expect(await left(hire)).toBe(1)
    await query('update charges set collection_id = null where id = $1', id)
    await deleteOldCharges(on(130))
    expect(await left(hire)).toBe(0)
  })

  it('can’t be recorded a second time: its hire ended before it was forgotten', async () => {
    const hire = await hired()
    const request = { reference: 'job 1' }
    const first = await hire.charge(on(1), request)
    if (!(first instanceof ApiError)) await hire.void(on(1), first.id)
    const lasting = await hired({ autoRenew: true, owner: hire.owner })
    await lasting.charge(on(1), request)
    await deleteOldCharges(on(400))
    // As long as a hire lasts its references are known.
    expect(await lasting.charge(on(400), request)).toMatchObject({ createdAt: on(1) })
    // The first hire's end was not even recorded.
    expect(await left(hire)).toBe(1)
    await endHire(database.db, { id: hire.id, wallet: hire.hirer, now: on(400) })
    await deleteOldCharges(on(400))
    expect(await left(hire)).toBe(0)
    expect(outcomeOf(await hire.charge(on(400), request))).toBe('hire_not_active')
    expect(await left(hire)).toBe(0)
  })
})
