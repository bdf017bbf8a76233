import { describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { whileLocked } from '../support/locks.ts'
import { shuffled } from '../support/random.ts'
import { AMOUNT, at, DEBIT, NETWORK_FEE, payableAgent, signed } from '../support/request-payments.ts'
import { newWallet } from '../support/stored-agents.ts'

const database = useDatabase()
const query = database.rows
const range = (length: number) => Array.from({ length }, (_, i) => i)
const tally = (outcomes: string[]) => {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
const outcomesOf = async (calls: Promise<{ outcome: string }>[]) =>
  tally((await Promise.all(calls)).map(({ outcome }) => outcome))
const balanceOf = async (owner: string) =>
  BigInt(String((await query('select balance from credits where owner = $1', owner))[0]?.[0]))
const DAY = 86_400

describe('payments at the same time', () => {
  it('of one message are one, debited once', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    expect(await outcomesOf(range(50).map(() => agent.settle(payment, at(0))))).toEqual({
      recorded: 1,
      duplicate: 49,
    })
    expect(
      await query('select count(*) from request_payments where message_hash = $1', payment.messageHash),
    ).toEqual([['1']])
    expect(await balanceOf(agent.owner)).toBe(DEBIT * 999n)
  })

  it('of one message at two owners’ agents are one', async () => {
    const agents = await Promise.all(range(2).map(() => payableAgent(database.db)))
    const payment = signed()
    const calls = range(20).map((i) => agents[i % 2]?.settle(payment, at(0)) ?? expect.fail())
    expect(await outcomesOf(calls)).toEqual({ recorded: 1, duplicate: 19 })
  })

  it('of one balance are as many as it pays for', async () => {
    const agents = await Promise.all(range(5).map(() => payableAgent(database.db)))
    const [payer, source] = [newWallet(), newWallet()]
    await query(`insert into request_payers (payer, settled) values ($1, 1000)`, payer)
    const calls = range(50).map((i) => {
      const agent = agents[i % 5] ?? expect.fail()
      return agent.settle(signed({ payer, source, balance: AMOUNT * 7n + 999n }), at(0))
    })
    expect(await outcomesOf(calls)).toEqual({ recorded: 7, funds_reserved: 43 })
  })

  it('of one new payer are three', async () => {
    const agents = await Promise.all(range(5).map(() => payableAgent(database.db)))
    const payer = newWallet()
    const calls = range(30).map((i) => agents[i % 5]?.settle(signed({ payer }), at(0)) ?? expect.fail())
    expect(await outcomesOf(calls)).toEqual({ recorded: 3, too_many_in_flight: 27 })
  })

  it('are as many as the owner’s credit pays for', async () => {
    const owner = newWallet()
    const agents = [
      await payableAgent(database.db, { owner, credit: DEBIT * 5n + 1n }),
      await payableAgent(database.db, { owner, credit: 0n }),
    ]
    // Its own day, whose row keeps them waiting with what they have seen of the credit.
    await query(`insert into sponsored_days (day, fees) values ('2026-06-11', 0)`)
    const lock = 'select from sponsored_days where day = $1 for update'
    const held = { url: database.url, lock, id: '2026-06-11', waiting: 10 }
    const counts = await whileLocked(held, () =>
      outcomesOf(range(20).map((i) => agents[i % 2]?.settle(signed(), at(10 * DAY)) ?? expect.fail())),
    )
    expect(counts).toEqual({ recorded: 5, credit_exhausted: 15 })
    expect(await balanceOf(owner)).toBe(1n)
  })

  it('are as many as the day pays for, of one owner a tenth', async () => {
    const agents = await Promise.all(range(20).map(() => payableAgent(database.db)))
    const feesPerDay = NETWORK_FEE * 30n
    const settle = (i: number) => agents[i]?.settle(signed({ feesPerDay }), at(DAY)) ?? expect.fail()
    expect(await outcomesOf(range(10).map(() => settle(0)))).toEqual({ recorded: 3, owners_day_exhausted: 7 })
    const counts = await outcomesOf(range(60).map((i) => settle(i % 20)))
    expect(counts.recorded).toBe(27)
    expect(await query(`select fees from sponsored_days where day = '2026-06-02'`)).toEqual([
      [String(feesPerDay)],
    ])
  })
})

describe('calls about one payment at the same time', () => {
  it('are leased by one call after another gave up, and by one after it was settled', async () => {
    const agent = await payableAgent(database.db)
    const payment = signed()
    const first = await agent.settle(payment, at(0))
    await agent.answer(first, 'pending', at(20))
    const held = await Promise.all(range(50).map(() => agent.settle(payment, at(21))))
    expect(tally(held.map(({ outcome }) => outcome))).toEqual({ resumed: 1, duplicate: 49 })
    const holder = held.find(({ outcome }) => outcome === 'resumed') ?? expect.fail()
    await agent.answer(holder, 'pending', at(40))
    await agent.record([first], 'settled', at(41))
    expect(await outcomesOf(range(50).map(() => agent.settle(payment, at(42))))).toEqual({
      settled: 1,
      duplicate: 49,
    })
  })

  it('that see it land answer success once, among waiting calls and job runs', async () => {
    const agent = await payableAgent(database.db)
    for (const round of range(20)) {
      const payment = signed()
      const first = await agent.settle(payment, at(0))
      // The first call's lease has ended: another call may take it while the first answers and job runs
      // record.
      const published = await Promise.all([
        agent.answer(first, 'settled', at(31)),
        agent
          .settle(payment, at(31))
          .then(async (held) =>
            held.outcome === 'resumed' ? agent.answer(held, 'settled', at(32)) : held.outcome,
          ),
        agent
          .settle(payment, at(31))
          .then(async (held) =>
            held.outcome === 'resumed' ? agent.answer(held, 'pending', at(32)) : held.outcome,
          ),
        agent.record([first], 'settled', at(31)).then(() => 'swept'),
      ])
      // One who gave up beside the one success asks once more, as stock servers do.
      const last = published.includes('pending') ? (await agent.settle(payment, at(40))).outcome : 'none'
      expect(
        [...published, last].filter((outcome) => outcome === 'settled'),
        `${round}: ${published}, ${last}`,
      ).toHaveLength(1)
    }
  })

  it('that see it expire give its debit back once', async () => {
    const agent = await payableAgent(database.db, { credit: DEBIT * 3n })
    const held = await agent.settle(signed(), at(0))
    await Promise.all(
      range(20).map((i) =>
        i % 2 ? agent.answer(held, 'expired', at(90)) : agent.record([held], 'expired', at(90)),
      ),
    )
    expect(await balanceOf(agent.owner)).toBe(DEBIT * 3n)
  })
})

describe('outcomes of many payments at the same time', () => {
  it('in any order are recorded without deadlocks, while payments go on', async () => {
    const agents = await Promise.all(range(4).map(() => payableAgent(database.db)))
    const payers = range(6).map(() => newWallet())
    const pay = (i: number) =>
      agents[i % 4]?.settle(signed({ payer: payers[i % 6] ?? expect.fail() }), at(0)) ?? expect.fail()
    const held = (await Promise.all(range(60).map(pay))).filter(({ outcome }) => outcome === 'recorded')
    expect(held).toHaveLength(18)
    const [agent = expect.fail()] = agents
    const results = await Promise.all([
      ...range(12).map((i) =>
        agent.record(shuffled(held), i % 3 ? 'expired' : 'failed', at(90), { isPayersFault: true }),
      ),
      ...held.map((one) => agent.answer(one, 'failed', at(90), { isPayersFault: true })),
      ...range(20).map(pay),
    ])
    expect(results).toHaveLength(50)
    const [[left] = []] = await query(
      `select count(*) from request_payments where status = 'pending' and created_at = $1 and id = any ($2::uuid[])`,
      at(0).toISOString(),
      `{${held.map(({ id }) => id).join(',')}}`,
    )
    expect(left).toBe('0')
    for (const { owner } of agents) {
      const [[debited] = []] = await query(
        `select coalesce(sum(debit), 0) from request_payments where owner = $1 and status <> 'expired'`,
        owner,
      )
      expect(await balanceOf(owner)).toBe(DEBIT * 1_000n - BigInt(String(debited)))
    }
  })
})
