import { describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { closeUnanswered } from '../../lib/x402/payments/restore-queries.ts'
import { useDatabase } from '../support/database.ts'
import {
  AMOUNT,
  at,
  buy,
  DEBIT,
  FEES_PER_DAY,
  NETWORK_FEE,
  payableAgent,
  signed,
} from '../support/request-payments.ts'
import { newWallet, updateAgent } from '../support/stored-agents.ts'

const database = useDatabase()
const query = database.rows
const creditOf = async (owner: string) => {
  const [[balance, fees] = []] = await query('select balance, day_fees from credits where owner = $1', owner)
  return [BigInt(String(balance)), BigInt(String(fees))]
}
const HOUR = 3_600

describe('a facilitator’s key', () => {
  it('ends when the next is made, for what is recorded, too', async () => {
    const agent = await payableAgent(database.db)
    const before = signed()
    const held = await agent.settle(before, at(0))
    await agent.answer(held, 'pending', at(1))
    const made = await postgres.makeFacilitatorKey.call(database.db, {
      agentId: agent.id,
      owner: agent.owner,
      now: at(2),
    })
    expect(made).toMatchObject({ outcome: 'made' })
    expect(made.generation).toBeGreaterThan(agent.generation)
    expect(await agent.settle(signed(), at(3))).toMatchObject({ outcome: 'key_ended', id: null })
    expect(await agent.settle(before, at(3))).toMatchObject({ outcome: 'key_ended' })
    expect(await agent.verify(before, at(3))).toBe('key_ended')
    expect(await agent.settle(signed(), at(3), { keyVersion: made.generation ?? 0 })).toMatchObject({
      outcome: 'recorded',
    })
  })

  it('from before a restore is never made again, though its row was lost', async () => {
    const agent = await payableAgent(database.db)
    const make = (now: Date) =>
      postgres.makeFacilitatorKey.call(database.db, { agentId: agent.id, owner: agent.owner, now })
    const leaked = (await make(at(0))).generation ?? 0
    const instead = (await make(at(0))).generation ?? 0
    expect(instead).toBeGreaterThan(leaked)
    await query(
      'update facilitator_keys set generation = $1, made_at = $2 where agent_id = $3',
      ...[String(agent.generation), at(-86_400).toISOString(), agent.id],
    )
    const later = (await make(at(600))).generation ?? 0
    expect(later).toBeGreaterThan(instead)
    expect(await agent.settle(signed(), at(601), { keyVersion: leaked })).toMatchObject({
      outcome: 'key_ended',
    })
    await query('delete from facilitator_keys where agent_id = $1', agent.id)
    expect((await make(at(1_200))).generation).toBeGreaterThan(later)
  })

  it('and prices are made by the agent’s owner only', async () => {
    const agent = await payableAgent(database.db)
    const other = { agentId: agent.id, owner: newWallet(), now: at(0) }
    expect(await postgres.makeFacilitatorKey.call(database.db, other)).toEqual({
      outcome: 'agent_not_found',
      generation: null,
    })
    const prices = { names: [], assets: [], amounts: [], cred: '', addressHash: '', changesPerAddress: 1 }
    expect(await postgres.setRequestPrices.call(database.db, { ...other, ...prices })).toMatchObject({
      outcome: 'agent_not_found',
    })
  })
})

describe('prices', () => {
  it('that were replaced are valid for ten minutes', async () => {
    const agent = await payableAgent(database.db)
    await agent.setPrices([['call', 2_000n]], at(0))
    const [old, current] = [() => signed(), () => signed({ amount: 2_000n })]
    expect(await agent.settle(old(), at(599))).toMatchObject({ outcome: 'recorded' })
    expect(await agent.settle(current(), at(599))).toMatchObject({ outcome: 'recorded' })
    expect(await agent.settle(old(), at(600))).toMatchObject({ outcome: 'not_a_price' })
    expect(await agent.settle(signed({ amount: 999n }), at(0))).toMatchObject({ outcome: 'not_a_price' })
    // One that comes back is a price as any other.
    await agent.setPrices([['call', AMOUNT]], at(700))
    expect(await agent.settle(old(), at(10_000))).toMatchObject({ outcome: 'recorded' })
    await agent.setPrices([], at(10_000))
    expect(await agent.settle(old(), at(10_600))).toMatchObject({ outcome: 'not_a_price' })
  })

  it('that are still valid are 200, next to the current ones', async () => {
    const agent = await payableAgent(database.db)
    const fifty = (round: number) =>
      Array.from({ length: 50 }, (_, i): [string, bigint] => [`${i}`, BigInt(round * 50 + i + 1)])
    for (const round of [1, 2, 3, 4])
      expect(await agent.setPrices(fifty(round), at(round))).toMatchObject({ outcome: 'set' })
    expect(await agent.setPrices(fifty(5), at(5))).toMatchObject({ outcome: 'changed_too_often' })
    expect(await agent.setPrices(fifty(4), at(6))).toMatchObject({ outcome: 'set' })
    expect(await agent.setPrices(fifty(5), at(602))).toMatchObject({ outcome: 'set' })
  })
})

describe('credit', () => {
  it('is bought once, debited by each payment, and given back by one that expires', async () => {
    const owner = newWallet()
    const agent = await payableAgent(database.db, { owner, credit: 0n })
    const purchase = crypto.randomUUID()
    expect(await buy(database.db, owner, DEBIT * 2n, purchase)).toMatchObject({ outcome: 'credited' })
    expect(await buy(database.db, owner, DEBIT * 2n, purchase)).toEqual({
      outcome: 'credited_before',
      toNotify: [],
    })
    const [one, two] = [await agent.settle(signed(), at(0)), await agent.settle(signed(), at(0))]
    expect([one.outcome, two.outcome]).toEqual(['recorded', 'recorded'])
    expect(await agent.settle(signed(), at(1))).toMatchObject({ outcome: 'credit_exhausted' })
    expect(await agent.answer(one, 'expired', at(2))).toBe('expired')
    expect(await agent.answer(two, 'failed', at(2))).toBe('failed')
    expect(await creditOf(owner)).toEqual([DEBIT, NETWORK_FEE])
    // Each is recorded once, also when it is reported again.
    expect(await agent.record([one, two], 'expired', at(3))).toEqual({ recorded: 0, toNotify: [] })
    expect(await creditOf(owner)).toEqual([DEBIT, NETWORK_FEE])
  })

  it('of an agent that is not active is not spent', async () => {
    const agent = await payableAgent(database.db)
    await updateAgent(database.db, {
      id: agent.id,
      wallet: agent.owner,
      isOperator: false,
      details: {},
      status: 'inactive',
      ownerFrom: ['active'],
      operatorFrom: [],
      now: at(0),
    })
    expect(await agent.settle(signed(), at(1))).toMatchObject({ outcome: 'agent_not_active' })
  })
})

describe('the fees of a day', () => {
  const half = { feesPerDay: NETWORK_FEE * 25n }
  /** Days that no other test has. */
  const DAY = 86_400
  it('are a tenth for one owner, and start again the next day', async () => {
    const agent = await payableAgent(database.db)
    const outcomes = []
    for (let i = 0; i < 4; i += 1) outcomes.push((await agent.settle(signed(half), at(10 * DAY + i))).outcome)
    expect(outcomes).toEqual(['recorded', 'recorded', 'owners_day_exhausted', 'owners_day_exhausted'])
    expect(await agent.verify(signed(half), at(10 * DAY + 5))).toBe('owners_day_exhausted')
    expect(await agent.settle(signed(half), at(11 * DAY))).toMatchObject({ outcome: 'recorded' })
  })

  it('are given back by a payment that expires, on its own day only', async () => {
    const agent = await payableAgent(database.db)
    const held = [
      await agent.settle(signed(half), at(20 * DAY)),
      await agent.settle(signed(half), at(20 * DAY + 1)),
    ]
    await agent.record(held.slice(0, 1), 'expired', at(20 * DAY + 90))
    expect((await creditOf(agent.owner))[1]).toBe(NETWORK_FEE)
    expect(await agent.settle(signed(half), at(20 * DAY + 91))).toMatchObject({ outcome: 'recorded' })
    const late = [held[1] ?? expect.fail(), await agent.settle(signed(half), at(21 * DAY))]
    await agent.record(late, 'expired', at(21 * DAY + 90))
    expect((await creditOf(agent.owner))[1]).toBe(0n)
  })
})

describe('the funds of a payer', () => {
  it('are reserved by what is in flight from the same account', async () => {
    const [agent, elsewhere] = [await payableAgent(database.db), await payableAgent(database.db)]
    const payer = newWallet()
    const from = (source: string) => signed({ payer, source, balance: AMOUNT * 2n })
    const source = newWallet()
    const first = await agent.settle(from(source), at(0))
    await elsewhere.settle(from(source), at(0))
    expect(await agent.settle(from(source), at(1))).toMatchObject({ outcome: 'funds_reserved' })
    expect(await agent.verify(from(source), at(1))).toBe('funds_reserved')
    // Another account of the payer has its own.
    expect(await agent.settle(from(newWallet()), at(1))).toMatchObject({ outcome: 'recorded' })
    await agent.answer(first, 'expired', at(2))
    expect(await agent.settle(from(source), at(3))).toMatchObject({ outcome: 'recorded' })
  })

  it('are counted as spent by payments that landed after the balance was read', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const source = newWallet()
    const read = (balance: bigint, balanceSlot: bigint) => signed({ payer, source, balance, balanceSlot })
    const held = await agent.settle(read(AMOUNT, 100n), at(0))
    expect(await agent.answer(held, 'settled', at(1), { slot: 105n })).toBe('settled')
    expect(await agent.settle(read(AMOUNT, 104n), at(2))).toMatchObject({ outcome: 'funds_reserved' })
    // Of a later slot the balance is what it is.
    expect(await agent.settle(read(AMOUNT, 105n), at(2))).toMatchObject({ outcome: 'recorded' })
  })

  it('pay for three at once at first, one more for each settled, fifty at most', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const next = () => agent.settle(signed({ payer }), at(0))
    const held = [await next(), await next(), await next()]
    expect(await next()).toMatchObject({ outcome: 'too_many_in_flight' })
    await agent.record(held.slice(0, 2), 'settled', at(1))
    await agent.record(held.slice(2), 'expired', at(1))
    for (let i = 0; i < 5; i += 1) expect(await next()).toMatchObject({ outcome: 'recorded' })
    expect(await next()).toMatchObject({ outcome: 'too_many_in_flight' })
    await query('update request_payers set settled = 1000 where payer = $1', payer)
    for (let i = 5; i < 50; i += 1) expect(await next()).toMatchObject({ outcome: 'recorded' })
    expect(await next()).toMatchObject({ outcome: 'too_many_in_flight' })
  })
})

describe('failures on the chain', () => {
  const fail = async (
    agent: Awaited<ReturnType<typeof payableAgent>>,
    payer: ReturnType<typeof newWallet>,
    seconds: number,
    isPayersFault = true,
  ) => {
    const held = await agent.settle(signed({ payer }), at(seconds))
    expect(held.outcome).toBe('recorded')
    await agent.answer(held, 'failed', at(seconds), { isPayersFault })
  }

  it('that the payer caused bar it at the agent for an hour, after three in an hour', async () => {
    const [agent, other] = [await payableAgent(database.db), await payableAgent(database.db)]
    const payer = newWallet()
    for (const seconds of [0, 1_000, HOUR]) await fail(agent, payer, seconds)
    // The first was an hour ago.
    await fail(agent, payer, HOUR + 500)
    expect(await agent.settle(signed({ payer }), at(2 * HOUR + 499))).toMatchObject({
      outcome: 'payer_barred',
    })
    expect(await other.settle(signed({ payer }), at(2 * HOUR))).toMatchObject({ outcome: 'recorded' })
    expect(await agent.settle(signed({ payer }), at(2 * HOUR + 500))).toMatchObject({ outcome: 'recorded' })
  })

  it('at three agents bar it everywhere, and take its room back', async () => {
    const agents = await Promise.all([1, 2, 3].map(() => payableAgent(database.db)))
    const elsewhere = await payableAgent(database.db)
    const payer = newWallet()
    const paid = await elsewhere.settle(signed({ payer }), at(0))
    await elsewhere.record([paid], 'settled', at(0))
    for (const [index, agent] of agents.entries()) {
      expect(await elsewhere.verify(signed({ payer }), at(index * 10))).toBe('valid')
      for (const seconds of [1, 2, 3]) await fail(agent, payer, index * 10 + seconds)
    }
    expect(await elsewhere.settle(signed({ payer }), at(30))).toMatchObject({ outcome: 'payer_barred' })
    for (const outcome of ['recorded', 'recorded', 'recorded', 'too_many_in_flight'])
      expect(await elsewhere.settle(signed({ payer }), at(23 + HOUR))).toMatchObject({ outcome })
    expect(await elsewhere.settle(signed(), at(30))).toMatchObject({ outcome: 'recorded' })
  })

  it('that nobody caused bar nobody', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    for (const seconds of [1, 2, 3, 4]) await fail(agent, payer, seconds, false)
    expect(await agent.settle(signed({ payer }), at(5))).toMatchObject({ outcome: 'recorded' })
  })
})

describe('success', () => {
  it('is answered once: the first call has it, every other is a duplicate', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const first = await agent.settle(payment, at(0))
    expect(await agent.settle(payment, at(1))).toMatchObject({ outcome: 'duplicate' })
    expect(await agent.verify(payment, at(1))).toBe('duplicate')
    expect(await agent.answer(first, 'settled', at(2))).toBe('settled')
    expect(await agent.answer(first, 'settled', at(2))).toBe('duplicate')
    expect(await agent.settle(payment, at(3_600))).toMatchObject({ outcome: 'duplicate' })
    expect(await agent.verify(payment, at(3_600))).toBe('duplicate')
  })

  it('goes to the call after one that gave up, which sends the same bytes again', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const first = await agent.settle(payment, at(0))
    expect(await agent.answer(first, 'pending', at(20))).toBe('pending')
    expect(await agent.verify(payment, at(21))).toBe('resumable')
    const second = await agent.settle(payment, at(21))
    expect(second).toMatchObject({ outcome: 'resumed', id: first.id, transaction: first.transaction })
    expect(await agent.settle(payment, at(22))).toMatchObject({ outcome: 'duplicate' })
    expect(await agent.answer(second, 'settled', at(23))).toBe('settled')
  })

  it('goes to the next caller if job runs saw it land', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const first = await agent.settle(payment, at(0))
    await agent.answer(first, 'pending', at(20))
    expect(await agent.record([first], 'settled', at(30))).toMatchObject({ recorded: 1 })
    expect(await agent.verify(payment, at(40))).toBe('resumable')
    expect(await agent.settle(payment, at(40))).toMatchObject({ outcome: 'settled', id: first.id })
    expect(await agent.settle(payment, at(41))).toMatchObject({ outcome: 'duplicate' })
  })

  it('of a call that died goes to the next after its lease, and not to the dead', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const dead = await agent.settle(payment, at(0))
    expect(await agent.settle(payment, at(29))).toMatchObject({ outcome: 'duplicate' })
    const next = await agent.settle(payment, at(30))
    expect(next).toMatchObject({ outcome: 'resumed' })
    // What it saw counts, but not for it.
    expect(await agent.answer(dead, 'settled', at(31))).toBe('duplicate')
    expect(await agent.answer(next, 'pending', at(32))).toBe('settled')
  })

  it('that may have been answered in the lost time before a restore goes to nobody', async () => {
    const agent = await payableAgent(database.db)
    const [pending, landed, gone, answered] = [signed(), signed(), signed(), signed()] as const
    const held = await agent.settle(pending, at(0))
    // The backup is of this moment: both calls were answered with success after it.
    await agent.record([await agent.settle(landed, at(0))], 'settled', at(1))
    await agent.record([await agent.settle(gone, at(0))], 'expired', at(1))
    await agent.answer(await agent.settle(answered, at(0)), 'settled', at(1))
    const restored = { now: at(600) }
    const ofAgent = async (isPlan: boolean) =>
      (await closeUnanswered(database.db, { ...restored, isPlan })).filter(
        ({ owner }) => owner === agent.owner,
      )
    const payers = (await ofAgent(true)).map(({ payer }) => payer)
    expect(payers.toSorted()).toEqual([pending.payer, landed.payer].toSorted())
    expect(await ofAgent(false)).toHaveLength(2)
    expect(await ofAgent(false)).toEqual([])
    await agent.record([held], 'settled', at(700))
    for (const payment of [pending, landed, answered])
      expect(await agent.settle(payment, at(800))).toMatchObject({ outcome: 'duplicate' })
    expect(await agent.settle(gone, at(800))).toMatchObject({ outcome: 'expired' })
  })

  it('is no other agent’s, not of the same owner and price either', async () => {
    const owner = newWallet()
    const [agent, other] = [
      await payableAgent(database.db, { owner }),
      await payableAgent(database.db, { owner }),
    ]
    const payment = signed()
    const held = await agent.settle(payment, at(0))
    await agent.answer(held, 'pending', at(1))
    expect(await other.settle(payment, at(2))).toMatchObject({ outcome: 'duplicate' })
    expect(await other.verify(payment, at(2))).toBe('duplicate')
    expect(await agent.settle(payment, at(2))).toMatchObject({ outcome: 'resumed' })
  })

  it.each(['failed', 'expired'])('is nobody’s of a payment that %s', async (outcome) => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const held = await agent.settle(payment, at(0))
    expect(await agent.answer(held, outcome, at(1))).toBe(outcome)
    expect(await agent.settle(payment, at(2))).toMatchObject({ outcome })
    expect(await agent.verify(payment, at(2))).toBe(outcome)
    expect(await agent.answer(held, 'settled', at(3))).toBe(outcome)
  })

  it('does not end by a limit that the payment met already', async () => {
    const agent = await payableAgent(database.db, { credit: DEBIT })
    const payment = signed({ balance: AMOUNT })
    const held = await agent.settle(payment, at(0))
    await agent.answer(held, 'pending', at(1))
    await agent.setPrices([], at(2))
    const again = { ...payment, balance: 0n, feesPerDay: FEES_PER_DAY / 1_000_000_000n }
    expect(await agent.settle(again, at(1_000))).toMatchObject({ outcome: 'resumed' })
  })
})
