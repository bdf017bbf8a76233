import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { useDatabase } from '../support/database.ts'
import { hiredAgent, outcomeOf } from '../support/payments.ts'
import { endHire, newWallet, recordDueHires, updateAgent } from '../support/stored-agents.ts'

const DAY = 86_400_000
const hiredAt = new Date('2026-11-21T12:00:00.000Z')
const on = (days: number) => new Date(hiredAt.getTime() + days * DAY)

const database = useDatabase()
const { rows: query } = database

const range = (length: number) => Array.from({ length }, (_, i) => i)
const hired = (how: Partial<Parameters<typeof hiredAgent>[1]> = {}) =>
  hiredAgent(database.db, { hiredAt, feeAmount: 5n, ...how })
/** Each period's spending, oldest first, beside the sum of its charges that are not voided. */
const spending = (hireId: string) =>
  query(
    `select spent, (select coalesce(sum(amount), 0) from charges where hire_id = p.hire_id
        and period_start = p.starts_at and status <> 'voided')
      from hire_periods p where hire_id = $1 order by starts_at`,
    hireId,
  )
const tally = (results: Parameters<typeof outcomeOf>[0][]) => {
  const counts: Record<string, number> = {}
  for (const outcome of results.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
const eventsOf = async (wallet: string) =>
  (await query('select type from events where wallet = $1 order by xid, seq', wallet)).flat()

describe('charges at the same time', () => {
  it('records exactly 20 of 50 charges when the budget is enough for 20', async () => {
    const hire = await hired({ budgetLimit: 104n })
    const results = await Promise.all(range(50).map(() => hire.charge(on(1))))
    expect(tally(results)).toEqual({ recorded: 20, budget_exhausted: 30 })
    expect(await spending(hire.id)).toEqual([['100', '100']])
    const refusals = results.filter((result) => result instanceof ApiError)
    expect(new Set(refusals.map(({ details }) => details.remaining))).toEqual(new Set([4n]))
    const published = await eventsOf(hire.owner)
    expect(published.filter((type) => type === 'charge.recorded')).toHaveLength(20)
    expect(published.filter((type) => type === 'budget.low')).toHaveLength(1)
    expect(published.filter((type) => type === 'budget.exhausted')).toHaveLength(1)
  })

  it('leave nothing when each exceeds the whole budget, until a charge succeeds', async () => {
    const hire = await hired({ budgetLimit: 104n, autoRenew: true, termDays: 1 })
    const before = await eventsOf(hire.owner)
    for (const day of [0, 1, 2, 3]) {
      const results = await Promise.all(range(3).map(() => hire.charge(on(day), { units: 21n })))
      expect(tally(results)).toEqual({ budget_exhausted: 3 })
      expect(results).toContainEqual(expect.objectContaining({ details: { remaining: 104n } }))
    }
    expect(await spending(hire.id)).toEqual([])
    expect(await eventsOf(hire.owner)).toEqual(before)
    await hire.charge(on(3))
    await Promise.all(range(3).map(() => hire.charge(on(3), { units: 21n })))
    expect(await spending(hire.id)).toEqual([['5', '5']])
    const published = await eventsOf(hire.owner)
    expect(published.filter((type) => type === 'budget.exhausted')).toHaveLength(1)
  })

  it('of one reference are one, and take their amount once', async () => {
    const hire = await hired({ budgetLimit: 1_000n })
    const results = await Promise.all(range(30).map(() => hire.charge(on(1), { reference: 'job' })))
    expect(new Set(results.map((result) => 'id' in result && result.id)).size).toBe(1)
    expect(await spending(hire.id)).toEqual([['5', '5']])
    const other = await Promise.all(
      range(20).map((i) => hire.charge(on(1), { reference: 'other', units: BigInt(i + 1) })),
    )
    expect(tally(other)).toEqual({ recorded: 1, charge_differs: 19 })
    const [[spent, sum] = []] = await spending(hire.id)
    expect(spent).toBe(sum)
  })

  it('of one wallet’s agents are at most 10,000 each day', async () => {
    const owner = newWallet()
    const hires = await Promise.all(range(3).map(() => hired({ owner })))
    const [first] = hires
    await first?.charge(on(0))
    await query('update wallet_quotas set charges = 9980 where wallet = $1', owner)
    const results = await Promise.all(range(60).map((i) => hires[i % 3]?.charge(on(0)) ?? expect.fail()))
    expect(tally(results)).toEqual({ recorded: 20, rate_limited: 40 })
    const sums = await Promise.all(hires.map(({ id }) => spending(id)))
    for (const [[spent, sum] = []] of sums) expect(spent).toBe(sum)
    expect(outcomeOf((await first?.charge(on(1))) ?? expect.fail())).toBe('recorded')
  })
})

describe('charges while the hire changes', () => {
  it('are in the old period or the new one, which begins once, with its whole budget', async () => {
    const hire = await hired({ budgetLimit: 50n, autoRenew: true, termDays: 1 })
    const times = [on(0.5), on(1), on(1.5)]
    const results = await Promise.all([
      ...range(60).map((i) => hire.charge(times[i % 3] ?? hiredAt)),
      ...range(10).map(() => recordDueHires(database.db, on(1), 10)),
    ])
    // A run leaves to the next what another statement is at work on.
    await recordDueHires(database.db, on(1), 10)
    const charges = results.filter((result) => result instanceof ApiError || 'state' in result)
    const periods = await spending(hire.id)
    for (const [spent, sum] of periods) {
      expect(spent).toBe(sum)
      expect(Number(spent)).toBeLessThanOrEqual(50)
    }
    expect(periods.length).toBeLessThanOrEqual(2)
    expect(tally(charges).recorded).toBe(periods.reduce((sum, [spent]) => sum + Number(spent), 0) / 5)
    const renewals = (await eventsOf(hire.owner)).filter((type) => type === 'hire.renewed')
    expect(renewals).toHaveLength(1)
  })

  it('are refused once it has been terminated, and none is lost', async () => {
    const hire = await hired()
    const [ended, ...results] = await Promise.all([
      endHire(database.db, { id: hire.id, wallet: hire.hirer, now: on(2) }),
      ...range(40).map(() => hire.charge(on(1))),
    ])
    expect(ended?.hire.status).toBe('terminated')
    const { recorded = 0, hire_not_active: refused = 0 } = tally(results)
    expect(recorded + refused).toBe(40)
    const [[spent, sum] = ['0', '0']] = await spending(hire.id)
    expect([spent, sum]).toEqual([String(recorded * 5), String(recorded * 5)])
    expect(outcomeOf(await hire.charge(on(1)))).toBe('hire_not_active')
  })

  it('are refused once its agent is suspended', async () => {
    const hire = await hired()
    const suspend = updateAgent(database.db, {
      id: hire.agentId,
      wallet: newWallet(),
      isOperator: true,
      details: {},
      status: 'suspended',
      reason: 'Phishing',
      ownerFrom: [],
      operatorFrom: ['active'],
      now: on(1),
    })
    const [, ...results] = await Promise.all([suspend, ...range(40).map(() => hire.charge(on(1)))])
    const { recorded = 0, agent_suspended: refused = 0 } = tally(results)
    expect(recorded + refused).toBe(40)
    expect(outcomeOf(await hire.charge(on(1)))).toBe('agent_suspended')
  })
})

describe('voids at the same time', () => {
  it('as each other and as charges: each gives its amount back once', async () => {
    const hire = await hired({ budgetLimit: 100n })
    const charges = await Promise.all(range(20).map(() => hire.charge(on(1))))
    const ids = charges.map((charge) => ('id' in charge ? charge.id : expect.fail()))
    const results = await Promise.all([
      ...ids.slice(0, 10).flatMap((id) => range(3).map(() => hire.void(on(2), id))),
      ...range(40).map(() => hire.charge(on(2))),
    ])
    const { voided, recorded = 0 } = tally(results)
    expect(voided).toBe(30)
    expect(recorded).toBeLessThanOrEqual(10)
    const sum = String(50 + recorded * 5)
    expect(await spending(hire.id)).toEqual([[sum, sum]])
    const voids = (await eventsOf(hire.owner)).filter((type) => type === 'charge.voided')
    expect(voids).toHaveLength(10)
  })

  it('as the collection that takes the charge: one of the two has it', async () => {
    const hire = await hired()
    const charges = await Promise.all(range(30).map(() => hire.charge(on(1))))
    const ids = charges.map((charge) => ('id' in charge ? charge.id : expect.fail()))
    // As a collection takes them: by one statement, where they are recorded and in none.
    const collect = async (id: string) =>
      (
        await query(
          `update charges set collection_id = $1 where id = $2 and status = 'recorded' and collection_id is null
            returning id`,
          crypto.randomUUID(),
          id,
        )
      ).length
    const both = await Promise.all(ids.map((id) => Promise.all([hire.void(on(2), id), collect(id)])))
    for (const [result, collected] of both) {
      expect([outcomeOf(result), collected]).toSatisfy(
        ([outcome, taken]) =>
          (outcome === 'voided' && taken === 0) || (outcome === 'charge_not_voidable' && taken === 1),
      )
    }
    const [[spent, sum] = []] = await spending(hire.id)
    expect(spent).toBe(sum)
  })
})
