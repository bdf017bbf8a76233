import { and, eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { agentAsStored } from '../../lib/agents/queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { rate } from '../../lib/reputation/ratings/rate.ts'
import { cred } from '../../schema/amounts.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { agentRequestDays } from '../../schema/tables/agent-request-days.ts'
import { agents } from '../../schema/tables/agents.ts'
import { reputationTotals } from '../../schema/tables/counterparties.ts'
import { payers } from '../../schema/tables/payers.ts'
import { ratings } from '../../schema/tables/ratings.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { storeHire } from '../support/hires.ts'
import { untilWaiting, whileLocked } from '../support/locks.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { consistent } from '../support/paid-sums.ts'
import { shuffled } from '../support/random.ts'
import { AMOUNT, at, FEE, payableAgent, type Signed, signed } from '../support/request-payments.ts'
import { newWallet } from '../support/stored-agents.ts'

/* How settled payments for requests count towards reputation, for any recorder, and many at once. */

let db: DrizzleDb
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterAll(() => close())
afterEach(() => {
  vi.restoreAllMocks()
})

type Agent = Awaited<ReturnType<typeof payableAgent>>
const rowOf = async ({ id }: { id: string }) => (await agentAsStored.run(db, { id }))[0]
const DAY = 86_400
const range = (length: number) => Array.from({ length }, (_, n) => n)

/** A payment of one CRED, which weighs by a hundredth. */
const large = { amount: ONE_CRED, debit: 10_000_000n, fee: 10_000_000n, balance: 2n ** 60n }

/** Records a payment that has not landed yet. */
async function sent(agent: Agent, payer: Wallet, changes: Partial<Signed> = {}, seconds = 0) {
  await agent.setPrices([['call', changes.amount ?? AMOUNT]], at(seconds))
  const held = await agent.settle(signed({ payer, ...changes }), at(seconds))
  expect(held.outcome).toBe('recorded')
  return held
}

const payerOf = async (agent: Agent, payer: Wallet) =>
  (
    await db
      .select()
      .from(payers)
      .where(and(eq(payers.kind, 'agent'), eq(payers.payee, agent.id), eq(payers.payer, payer)))
  )[0]
const daysOf = (agent: Agent) =>
  db
    .select({ day: agentRequestDays.day, payments: agentRequestDays.payments, paid: agentRequestDays.paid })
    .from(agentRequestDays)
    .where(eq(agentRequestDays.agentId, agent.id))
    .orderBy(agentRequestDays.day)

const give = (agent: Agent, payer: Wallet, rating: number) =>
  rate({ db, now: at(0), fees: { minPaid: cred(ONE_CRED) }, notify: () => {} }, payer, {
    agentId: agent.id,
    rating,
  })
/** What came of each call: the answer, or the refusal's code. */
const outcomes = async <T>(calls: Promise<T>[]) =>
  (await Promise.allSettled(calls)).map((settled) => {
    if (settled.status === 'fulfilled') return settled.value
    if (settled.reason instanceof ApiError) return settled.reason.code
    throw settled.reason
  })

/** Counts deadlocks, which the client would try again. */
function countDeadlocks() {
  const seen = { deadlocks: 0 }
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await fetch(...request)
    if (!response.ok && (await response.clone().text()).includes('40P01')) seen.deadlocks += 1
    return response
  })
  return seen
}

describe('a payment for a request', () => {
  it('counts once it has settled, on both sides', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    const held = await sent(agent, payer, large)
    expect(await payerOf(agent, payer)).toBeUndefined()
    expect(await agent.answer(held, 'settled', at(1))).toBe('settled')
    await agent.record([held], 'settled', at(2))
    expect(await payerOf(agent, payer)).toMatchObject({
      fee: 10_000_000n,
      requestsPaid: ONE_CRED,
      rating: null,
    })
    expect(await rowOf(agent)).toMatchObject({ payersWeight: 10_000_000n })
    const of = async (wallet: Wallet) =>
      (await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, wallet)))[0]
    expect(await of(agent.owner)).toMatchObject({
      payersWeight: 10_000_000n,
      satisfiedWeight: 10_000_000n,
      paidWeight: 0n,
    })
    expect(await of(payer)).toMatchObject({ payersWeight: 0n, paidWeight: 10_000_000n })
    await consistent(db, { agentId: agent.id, owner: agent.owner })
  })

  it('buys each side a call beyond the address limit for 0.02 of a step', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`set search_path to ${API_SCHEMA}, public`)
    const calls = async (wallet: Wallet) => {
      const call = 'select count_call($1, $2, 1, $3) as allowed'
      const { rows } = await client.query(call, [wallet, `hash of ${wallet}`, at(9)])
      return rows[0].allowed
    }
    expect([await calls(agent.owner), await calls(payer)]).toEqual([true, true])
    const tiny = { ...large, amount: 100n, fee: 1n }
    await agent.answer(await sent(agent, payer, tiny), 'settled', at(1))
    expect([await calls(agent.owner), await calls(payer)]).toEqual([false, false])
    for (const seconds of [2, 3]) await agent.answer(await sent(agent, payer, large), 'settled', at(seconds))
    for (const wallet of [agent.owner, payer])
      expect([await calls(wallet), await calls(wallet)]).toEqual([true, false])
    await client.end()
  })

  it('does not count when it fails or expires', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    await agent.answer(await sent(agent, payer, large), 'failed', at(1), { isPayersFault: true })
    await agent.record([await sent(agent, payer, large)], 'expired', at(1))
    expect(await payerOf(agent, payer)).toBeUndefined()
    expect(await daysOf(agent)).toEqual([])
    expect(await rowOf(agent)).toMatchObject({ payersWeight: 0n, reputationScore: 0 })
  })

  it('has no weight in another asset, but counts for the day and the listing', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    await db.update(agents).set({ isListed: false }).where(eq(agents.id, agent.id))
    await agent.answer(await sent(agent, payer, { ...large, fee: null }), 'settled', at(1))
    expect(await payerOf(agent, payer)).toBeUndefined()
    expect(await daysOf(agent)).toEqual([{ day: '2026-06-01', payments: 1, paid: 0n }])
    expect(await rowOf(agent)).toMatchObject({
      payersWeight: 0n,
      isListed: true,
      listedUntil: at(31 * DAY + 1),
    })
    await expect(give(agent, payer, 1)).rejects.toMatchObject({ code: 'too_little_paid' })
  })

  it('weighs at most its debit and its share', async () => {
    const agent = await payableAgent(db)
    for (const fee of [AMOUNT + 1n, -1n]) await expect(agent.settle(signed({ fee }), at(0))).rejects.toThrow()
    await expect(agent.settle(signed({ fee: 6n, debit: 5n }), at(0))).rejects.toThrow()
  })

  it('counts for the day on which it was made, for thirty days', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    const early = await sent(agent, payer, {}, DAY / 2 - 1)
    await agent.record([early], 'settled', at(DAY / 2 + 60))
    for (const days of [1, 2, 2, 31]) {
      const seconds = days * DAY
      await agent.record([await sent(agent, payer, {}, seconds)], 'settled', at(seconds + 5))
    }
    expect(await daysOf(agent)).toEqual([
      { day: '2026-06-03', payments: 2, paid: 2n * AMOUNT },
      { day: '2026-07-02', payments: 1, paid: AMOUNT },
    ])
    expect(await payerOf(agent, payer)).toMatchObject({ fee: 5n * FEE, requestsPaid: 5n * AMOUNT })
  })
})

describe('landings at the same time', () => {
  it('of one payment, by its call and by job runs, count once', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    const held = await sent(agent, payer, large)
    const lock = 'select from agents where id = $1 for no key update'
    await whileLocked({ url, lock, id: agent.id, waiting: 10 }, () =>
      Promise.all(
        range(20).map((n) =>
          n % 2 ? agent.answer(held, 'settled', at(1)) : agent.record([held], 'settled', at(1)),
        ),
      ),
    )
    expect(await payerOf(agent, payer)).toMatchObject({ fee: 10_000_000n, requestsPaid: ONE_CRED })
    expect(await daysOf(agent)).toEqual([{ day: '2026-06-01', payments: 1, paid: ONE_CRED }])
    await consistent(db, { agentId: agent.id, owner: agent.owner })
  })

  it('of many payments, with collections and ratings, lose nothing and do not deadlock', async () => {
    const seen = countDeadlocks()
    const owners = [newWallet(), newWallet()]
    const offers = await Promise.all(owners.flatMap((owner) => [0, 1].map(() => payableAgent(db, { owner }))))
    // Owners pay each other's agents, too: both directions of a pair.
    const wallets = [...owners, newWallet(), newWallet()]
    const pairs = offers.flatMap((agent) =>
      wallets.filter((payer) => payer !== agent.owner).map((payer) => ({ agent, payer })),
    )
    for (const { agent } of pairs) await agent.setPrices([['call', ONE_CRED]], at(0))
    const held = await Promise.all(
      pairs.map(async ({ agent, payer }) => ({
        agent,
        payer,
        held: await agent.settle(signed({ payer, ...large }), at(0)),
      })),
    )
    const recorded = held.filter((one) => one.held.outcome === 'recorded')
    expect(recorded.length).toBeGreaterThanOrEqual(8)
    const hires = await Promise.all(
      pairs.map(({ agent: { id: agentId, owner }, payer }) =>
        storeHire(db, { agentId, owner, payer, now: at(0) }),
      ),
    )
    const [{ agent } = expect.fail()] = recorded
    await outcomes<unknown>([
      ...recorded.map((one) => one.agent.answer(one.held, 'settled', at(1))),
      ...range(6).map(() => agent.record(shuffled(recorded.map((one) => one.held)), 'settled', at(2))),
      ...hires.map((hire) => recordPayments(db, [{ ...hire, amount: ONE_CRED, fee: 10_000_000n }])),
      ...pairs.map((pair, n) => give(pair.agent, pair.payer, 1 + (n % 5))),
    ])
    for (const { id: agentId, owner } of offers) await consistent(db, { agentId, owner })
    for (const one of recorded)
      expect(await payerOf(one.agent, one.payer)).toMatchObject({ fee: 20_000_000n, requestsPaid: ONE_CRED })
    expect(seen.deadlocks).toBe(0)
  })

  it('and a rating lock the agent first, so they do not deadlock', async () => {
    const seen = countDeadlocks()
    const [agent, payer] = [await payableAgent(db), newWallet()]
    await agent.answer(await sent(agent, payer, large), 'settled', at(1))
    const held = await sent(agent, payer, large)
    const lock = 'select from payers where payee = $1 for update'
    await whileLocked({ url, lock, id: agent.id, waiting: 2 }, async () => {
      const landed = agent.answer(held, 'settled', at(2))
      await untilWaiting(url, 1)
      await Promise.all([landed, give(agent, payer, 1)])
    })
    expect(await payerOf(agent, payer)).toMatchObject({ requestsPaid: 2n * ONE_CRED, rating: 1 })
    await consistent(db, { agentId: agent.id, owner: agent.owner })
    expect(seen.deadlocks).toBe(0)
  })
})

describe('a rating of an agent by a payer of its requests', () => {
  it('is accepted after a concurrent confirmation, or rejected', async () => {
    for (const _ of range(5)) {
      const [agent, payer] = [await payableAgent(db), newWallet()]
      const held = await sent(agent, payer, large)
      const lock = 'select from agents where id = $1 for no key update'
      const [landed, ...given] = await whileLocked({ url, lock, id: agent.id, waiting: 9 }, () =>
        outcomes<unknown>([
          agent.answer(held, 'settled', at(1)),
          ...range(8).map(() => give(agent, payer, 2)),
        ]),
      )
      expect(landed).toBe('settled')
      const taken = given.filter((one) => typeof one !== 'string')
      expect(given.filter((one) => typeof one === 'string' && one !== 'too_little_paid')).toEqual([])
      expect(await payerOf(agent, payer)).toMatchObject({ rating: taken.length > 0 ? 2 : null })
      await consistent(db, { agentId: agent.id, owner: agent.owner })
    }
  })

  it('is stored once when many are sent at once', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    await agent.answer(await sent(agent, payer, large), 'settled', at(1))
    const lock = 'select from agents where id = $1 for no key update'
    const given = await whileLocked({ url, lock, id: agent.id, waiting: 10 }, () =>
      outcomes(range(20).map((n) => give(agent, payer, 1 + (n % 5)))),
    )
    expect(given.filter((one) => typeof one !== 'string' && one.isNew)).toHaveLength(1)
    const stored = await db.select().from(ratings).where(eq(ratings.agentId, agent.id))
    expect(stored).toMatchObject([{ wallet: payer, hireId: null, revisedAt: expect.any(Date) }])
    expect(await rowOf(agent)).toMatchObject({ ratings: 1 })
    await consistent(db, { agentId: agent.id, owner: agent.owner })
  })

  it('and of a hire count once, by the later one', async () => {
    const [agent, payer] = [await payableAgent(db), newWallet()]
    const hire = await storeHire(db, { agentId: agent.id, owner: agent.owner, payer, now: at(0) })
    await recordPayments(db, [{ ...hire, amount: ONE_CRED, fee: 10_000_000n }])
    await agent.answer(await sent(agent, payer, large), 'settled', at(1))
    await give(agent, payer, 5)
    const of = { db, now: at(0), fees: { minPaid: cred(ONE_CRED) }, notify: () => {} }
    await rate(of, payer, { hireId: hire.hireId, rating: 1 })
    expect(await rowOf(agent)).toMatchObject({
      ratings: 1,
      ratedWeight: 20_000_000n,
      ratingSum: 20_000_000n,
      satisfiedWeight: 0n,
    })
    await consistent(db, { agentId: agent.id, owner: agent.owner })
    // Each counts alone: neither sum helps the other over MIN_PAID.
    const other = newWallet()
    await agent.answer(
      await sent(agent, other, { ...large, amount: ONE_CRED - 1n, fee: 1n }),
      'settled',
      at(1),
    )
    const paid = await storeHire(db, { agentId: agent.id, owner: agent.owner, payer: other, now: at(0) })
    await recordPayments(db, [{ ...paid, amount: ONE_CRED, fee: 1n }])
    await expect(give(agent, other, 1)).rejects.toMatchObject({ code: 'too_little_paid' })
  })
})
