import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { expectPaymentMonths } from '../support/payment-months.ts'
import {
  AMOUNT,
  at,
  DEBIT,
  NETWORK_FEE,
  payableAgent,
  type Signed,
  signed,
} from '../support/request-payments.ts'
import { runs } from '../support/runs.ts'
import { newWallet } from '../support/stored-agents.ts'

/*
 * Random calls about a few payments, several at the same time. In any order, the ledger must add up, and each
 * payment's success is answered once, if it landed and somebody asks.
 */

const database = useDatabase()

const CREDIT = DEBIT * 6n
const BALANCE = AMOUNT * 4n
/** The outcome of a payment on the chain: fixed, so that every reader sees the same. */
const FATES = ['settled', 'failed', 'expired'] as const

type Agent = Awaited<ReturnType<typeof payableAgent>>
type Held = Awaited<ReturnType<Agent['settle']>>
type Payment = Signed & { fate: (typeof FATES)[number] }

const nat = fc.nat(1 << 16)
/** Batches of calls that begin together. */
const program = fc.array(fc.array(fc.tuple(nat, nat, nat), { minLength: 1, maxLength: 8 }), {
  minLength: 2,
  maxLength: 8,
})

let months = 0

async function run(rounds: [number, number, number][][], fates: number[]): Promise<void> {
  const owner = newWallet()
  const agents = [
    await payableAgent(database.db, { owner, credit: CREDIT }),
    await payableAgent(database.db, { owner, credit: 0n }),
  ]
  const payers: Wallet[] = [newWallet(), newWallet()]
  const sources = payers.map(() => newWallet())
  const payments = fates.map((fate, index): Payment => {
    const side = index % 2
    const paying = { payer: payers[side], source: sources[side], balance: BALANCE, balanceSlot: 1_000n }
    return { ...signed(paying as Partial<Signed>), fate: FATES[fate % 3] ?? 'settled' }
  })
  const known: { held: Held; payment: Payment; agent: Agent }[] = []
  const successes = new Map<Payment, number>()
  const succeed = (payment: Payment, outcome: string) => {
    if (outcome === 'settled') successes.set(payment, (successes.get(payment) ?? 0) + 1)
  }
  let seconds = 0
  for (const round of rounds) {
    await Promise.all(
      round.map(async ([what, which, how]) => {
        const now = at(seconds)
        if (what % 3 === 0 || known.length === 0) {
          const [agent, payment] = [agents[how % 2], payments[which % payments.length]]
          if (!agent || !payment) return
          const { fate: _, ...asked } = payment
          const held = await agent.settle(asked, now)
          succeed(payment, held.outcome)
          if (held.outcome === 'recorded' || held.outcome === 'resumed') known.push({ held, payment, agent })
          return
        }
        const one = known[which % known.length]
        if (!one) return
        // It landed before any balance was read.
        const slot = { slot: 900n, isPayersFault: false }
        if (what % 3 === 1) {
          const seen = how % 2 ? one.payment.fate : 'pending'
          succeed(one.payment, await one.agent.answer(one.held, seen, now, slot))
        } else await one.agent.record([one.held], one.payment.fate, now, slot)
      }),
    )
    seconds += round.length * 7
  }
  await check({ owner, payers, successes, payments })
  months += await expectPaymentMonths(
    database.db,
    agents.map(({ id }) => id),
  )
}

async function check({
  owner,
  payers,
  successes,
  payments,
}: {
  owner: Wallet
  payers: Wallet[]
  successes: Map<Payment, number>
  payments: Payment[]
}): Promise<void> {
  const rows = await database.rows(
    'select message_hash, status, answered_at is not null, payer from request_payments where owner = $1',
    owner,
  )
  const count = (...statuses: string[]) =>
    BigInt(rows.filter(([, status]) => statuses.includes(String(status))).length)
  const [[balance, fees] = []] = await database.rows(
    'select balance, day_fees from credits where owner = $1',
    owner,
  )
  const kept = count('pending', 'settled', 'failed')
  expect(BigInt(String(balance))).toBe(CREDIT - kept * DEBIT)
  expect(BigInt(String(fees))).toBe(kept * NETWORK_FEE)
  for (const payer of payers) {
    const own = rows.filter(([, , , of]) => of === payer)
    const [[settled] = []] = await database.rows('select settled from request_payers where payer = $1', payer)
    expect(Number(settled ?? 0)).toBe(own.filter(([, status]) => status === 'settled').length)
    // No more than the balance pays for is in flight, and no more than three and one for each settled.
    const pending = own.filter(([, status]) => status === 'pending').length
    expect(pending).toBeLessThanOrEqual(Math.min(4, 3 + Number(settled ?? 0)))
  }
  for (const payment of payments) {
    const [, status, isAnswered] = rows.find(([hash]) => hash === payment.messageHash) ?? []
    expect([undefined, 'pending', payment.fate]).toContain(status)
    expect(successes.get(payment) ?? 0).toBe(isAnswered === 't' || isAnswered === 'true' ? 1 : 0)
  }
}

describe('the ledger of payments for requests', () => {
  it('adds up, and answers success once, for any concurrent calls', async () => {
    await fc.assert(fc.asyncProperty(program, fc.array(nat, { minLength: 1, maxLength: 9 }), run), {
      numRuns: runs(25, 600),
    })
    expect(months).toBeGreaterThan(0)
  })
})
