import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { BAR_MS, KNOWN_PRICE_MS, MAX_FAILURE_EVENTS } from '../../lib/x402/rules.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { requestEvents } from '../../schema/wire/event-types/requests.ts'
import { useDatabase } from '../support/database.ts'
import { AMOUNT, asset, at, buy, DEBIT, payableAgent, signed } from '../support/request-payments.ts'
import { newWallet } from '../support/stored-agents.ts'

const database = useDatabase()
const query = database.rows

type Published = { type: keyof typeof requestEvents; data: Record<string, unknown> }

/** What stands in a wallet's log, the oldest first; each as its type says. */
async function logOf(wallet: Wallet): Promise<Published[]> {
  const rows = await query(
    'select type, data from events where $1 in (wallet, counterparty) order by xid, seq',
    wallet,
  )
  return rows.map(([type, data]) => {
    const published = { type, data: JSON.parse(String(data)) } as Published
    const row = requestEvents[published.type]
    // Reads add the agent's name.
    if (row)
      v.parse(row.data as v.GenericSchema, {
        ...published.data,
        ...('agentId' in published.data && { agentName: 'Test agent' }),
      })
    return published
  })
}
const typesOf = async (wallet: Wallet) => (await logOf(wallet)).map(({ type }) => type)

/** Marks a wallet as listening on a socket, so functions return it in `to_notify`. */
const listen = (wallet: Wallet) =>
  query(
    `insert into wallets (address, first_login_at, last_login_at, listens_until) values ($1, '2026-01-01', '2026-01-01', '2027-01-01')`,
    wallet,
  )

describe('the outcome of a payment', () => {
  it('is published once to both sides, by the first caller that records it', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    await listen(payment.payer)
    const held = await agent.settle(payment, at(0))
    expect(await typesOf(agent.owner)).toEqual(['agent.registered', 'credit.bought'])
    const rounds = await agent.record([held], 'settled', at(91))
    expect(rounds).toEqual({ recorded: 1, toNotify: [payment.payer] })
    expect((await agent.record([held], 'settled', at(92))).toNotify).toEqual([])
    expect(await agent.answer(held, 'settled', at(93))).toBe('settled')
    const [published, ...others] = await logOf(payment.payer)
    expect(others).toEqual([])
    expect(published).toEqual({
      type: 'payment.settled',
      data: {
        paymentId: held.id,
        agentId: agent.id,
        owner: agent.owner,
        payer: payment.payer,
        asset,
        amount: Number(AMOUNT),
        signature: `signature of ${payment.messageHash}`,
        createdAt: at(0).toISOString(),
      },
    })
    expect(await typesOf(agent.owner)).toEqual(['agent.registered', 'credit.bought', 'payment.settled'])
  })

  it('is published when it fails or expires, and not while it is pending', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const [one, two] = [
      await agent.settle(signed({ payer }), at(0)),
      await agent.settle(signed({ payer }), at(0)),
    ]
    await agent.answer(one, 'pending', at(20))
    expect(await logOf(payer)).toEqual([])
    await agent.record([one], 'expired', at(91))
    await agent.answer(two, 'failed', at(92), { isPayersFault: true })
    expect((await logOf(payer)).map(({ type, data }) => [type, data.status, data.payersFault])).toEqual([
      ['payment.failed', 'expired', undefined],
      ['payment.failed', 'failed', true],
    ])
  })

  it('goes to the agent’s webhook, and to endpoints by their types', async () => {
    const agent = await payableAgent(database.db)
    await query(`update agents set webhook_url = 'https://example.com/hook' where id = $1`, agent.id)
    const endpoint = crypto.randomUUID()
    await query(
      `insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, secret, set_at) values ($1, $2, 'https://example.com/', '{payment.failed}', '{}', '2026-01-01', '', '2026-01-01')`,
      ...[endpoint, agent.owner],
    )
    const [one, two] = [await agent.settle(signed(), at(0)), await agent.settle(signed(), at(0))]
    expect((await agent.record([one], 'settled', at(91))).toNotify).toEqual([agent.id])
    expect((await agent.record([two], 'failed', at(91))).toNotify.sort()).toEqual([agent.id, endpoint].sort())
  })
})

describe('failures that cost their sender nothing', () => {
  it('are a hundred a day in an owner’s log, and all in their payers’ logs', async () => {
    const agent = await payableAgent(database.db)
    await query(`update agents set webhook_url = 'https://example.com/hook' where id = $1`, agent.id)
    const many = Array.from({ length: MAX_FAILURE_EVENTS + 20 }, () => signed())
    const held = await Promise.all(many.map((payment) => agent.settle(payment, at(0))))
    const { toNotify } = await agent.record(held, 'expired', at(91))
    expect(toNotify).toHaveLength(MAX_FAILURE_EVENTS)
    const failed = async () => (await typesOf(agent.owner)).filter((type) => type === 'payment.failed').length
    expect(await failed()).toBe(MAX_FAILURE_EVENTS)
    const inLogs = await Promise.all(many.map(({ payer }) => typesOf(payer)))
    expect(new Set(inLogs.map((types) => types.join()))).toEqual(new Set(['payment.failed']))
    // A payment that settles is published; a failure of the next day, too; an older clock starts no new day.
    const [more, next, late] = [
      await agent.settle(signed(), at(100)),
      await agent.settle(signed(), at(100)),
      await agent.settle(signed(), at(100)),
    ]
    await agent.record([more], 'settled', at(191))
    expect(await typesOf(agent.owner)).toContain('payment.settled')
    await agent.record([next], 'failed', at(86_400))
    expect(await failed()).toBe(MAX_FAILURE_EVENTS + 1)
    await agent.record([late], 'failed', at(191))
    expect(await query('select failures_told from credits where owner = $1', agent.owner)).toEqual([['2']])
  })

  it('are counted though calls record them at the same time', async () => {
    const agent = await payableAgent(database.db)
    await query(
      `update credits set failures_day = '2026-06-01', failures_told = $2 where owner = $1`,
      agent.owner,
      '95',
    )
    const held = await Promise.all(Array.from({ length: 20 }, () => agent.settle(signed(), at(0))))
    await Promise.all(held.map((one) => agent.record([one], 'failed', at(91))))
    expect((await typesOf(agent.owner)).filter((type) => type === 'payment.failed')).toHaveLength(5)
  })
})

describe('low credit', () => {
  it('is published once after each purchase, when less than a fifth is left', async () => {
    const owner = newWallet()
    const agent = await payableAgent(database.db, { owner, credit: 0n })
    await listen(owner)
    expect((await buy(database.db, owner, DEBIT * 10n)).toNotify).toEqual([owner])
    const low = async () => (await logOf(owner)).filter(({ type }) => type === 'credit.low')
    const pay = async (count: number) => {
      const held = []
      for (let n = 0; n < count; n++) held.push(await agent.settle(signed(), at(0)))
      return held
    }
    await pay(8)
    expect(await low()).toEqual([])
    const [ninth] = await pay(1)
    const published = { owner, balance: Number(DEBIT), lowBelow: Number(DEBIT * 2n) }
    expect(await low()).toEqual([{ type: 'credit.low', data: published }])
    // What expires lifts it above, and the next payment takes it below: no second time.
    await agent.record(ninth ? [ninth] : [], 'expired', at(91))
    await pay(2)
    expect(await low()).toHaveLength(1)
    await buy(database.db, owner, DEBIT * 5n)
    await pay(4)
    expect(await low()).toHaveLength(1)
    await pay(1)
    expect((await low()).map(({ data }) => data.lowBelow)).toEqual([Number(DEBIT * 2n), Number(DEBIT)])
  })

  it('is published once when payments cross the threshold at the same time', async () => {
    const owner = newWallet()
    const agent = await payableAgent(database.db, { owner, credit: DEBIT * 20n })
    await Promise.all(Array.from({ length: 20 }, () => agent.settle(signed(), at(0))))
    expect((await typesOf(owner)).filter((type) => type === 'credit.low')).toHaveLength(1)
  })

  it('is bought once, and published once, when calls record it at the same time', async () => {
    const owner = newWallet()
    const id = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(database.db, owner, DEBIT, id)))
    expect(answers.filter(({ outcome }) => outcome === 'credited')).toHaveLength(1)
    expect(await logOf(owner)).toEqual([
      {
        type: 'credit.bought',
        data: { owner, transactionId: id, amount: Number(DEBIT), balance: Number(DEBIT) },
      },
    ])
  })
})

describe('the record of a payment for a request', () => {
  const forget = (before: Date, now: Date, limit = 10_000) =>
    postgres.deleteOldRequestRows.call(database.db, { before, limit, now })
  const rows = async (text: string, ...params: string[]) => Number((await query(text, ...params))[0]?.[0])

  it('is deleted once nobody needs it; settled and pending payments stay', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const [failed, expired, settled] = [
      await agent.settle(signed({ payer }), at(0)),
      await agent.settle(signed(), at(0)),
      await agent.settle(signed(), at(0)),
    ]
    await agent.settle(signed(), at(0))
    await agent.record([failed], 'failed', at(91), { isPayersFault: true })
    await agent.record([expired], 'expired', at(91))
    await agent.record([settled], 'settled', at(91))
    await agent.setPrices([['call', 2_000n]], at(100))
    const count = async () => [
      await rows('select count(*) from request_payments where agent_id = $1', agent.id),
      await rows('select count(*) from payer_failures where payer = $1', payer),
      await rows('select count(*) from request_prices where agent_id = $1', agent.id),
    ]
    expect(await count()).toEqual([4, 1, 2])
    await forget(at(91), new Date(at(100).getTime() + KNOWN_PRICE_MS - 1))
    expect(await count()).toEqual([4, 1, 2])
    await forget(at(91), new Date(at(91).getTime() + BAR_MS - 1))
    expect(await count()).toEqual([4, 1, 1])
    await forget(at(92), new Date(at(91).getTime() + BAR_MS))
    expect(await count()).toEqual([2, 0, 1])
  })

  it('is deleted in batches, and keeps a payer barred while it exists', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    for (let n = 0; n < 3; n++) {
      const held = await agent.settle(signed({ payer }), at(n))
      await agent.record([held], 'failed', at(n), { isPayersFault: true })
    }
    const now = new Date(at(2).getTime() + BAR_MS - 1)
    await forget(at(3), now)
    expect(await agent.verify(signed({ payer }), now)).toBe('payer_barred')
    for (const n of [0, 1, 2])
      await agent.record([await agent.settle(signed(), at(10 + n))], 'expired', at(20))
    expect(await forget(at(30), at(30), 2)).toMatchObject({ payments: 2 })
    expect(await forget(at(30), at(30), 2)).toMatchObject({ payments: 1 })
  })

  it('of days is deleted, too', async () => {
    await query(`insert into sponsored_days values ('2020-01-01', 5), ('2020-01-02', 5)`)
    expect(await forget(new Date('2020-01-02T00:00:00Z'), at(0))).toMatchObject({ days: 1 })
    expect(await rows(`select count(*) from sponsored_days where day = '2020-01-02'`)).toBe(1)
  })
})
