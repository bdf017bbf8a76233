import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'

/* What the statements decide about purchases of credit when several come at once, on real Postgres. */

const NOW = new Date('2026-11-22T10:00:00Z')
const AMOUNT = cred(5_000n)

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))
const query = (text: string, ...params: string[]) =>
  db.$client.query(text, params) as Promise<Record<string, unknown>[]>

const build = (wallet: Wallet, id: string = crypto.randomUUID()) =>
  postgres.recordPaymentIntent.call(db, {
    id,
    wallet,
    kind: 'buy_credit',
    credit: AMOUNT,
    keyVersion: 1,
    transaction: id,
    message: 'm',
    lastValidBlockHeight: 100n,
    builtSlot: 1n,
    now: NOW,
  })
const sign = (wallet: Wallet, id: string, message = 'm') =>
  postgres.cosignPayment.call(db, {
    id,
    wallet,
    transaction: id,
    message,
    networkSignature: `signature of ${message}`,
    lastValidBlockHeight: 150n,
    builtAfter: deadlinePassed(NOW),
    now: NOW,
  })
const settle = (ids: string[], outcome: string) =>
  postgres.settlePayments.call(db, {
    ids,
    networkSignatures: ids.map(() => 'signature of m'),
    lastValidBlockHeights: ids.map(() => 150n),
    outcomes: ids.map(() => outcome),
    feeStep: 1_000n,
    now: NOW,
  })

/** A purchase that its wallet and the service have signed. */
async function signed(wallet = newWallet()) {
  const id = crypto.randomUUID()
  await build(wallet, id)
  expect(await sign(wallet, id)).toEqual({ outcome: 'recorded' })
  return { wallet, id }
}
const balanceOf = async (wallet: Wallet) =>
  BigInt(String((await query('select balance from credits where owner = $1', wallet))[0]?.balance ?? 0))
const countOf = async (text: string, wallet: Wallet) => (await query(text, wallet)).length
const PURCHASES = 'select 1 from credit_purchases where owner = $1'
const PUBLISHED = "select 1 from events where wallet = $1 and type = 'credit.bought'"

describe('a purchase that is confirmed', () => {
  it('is credited and published once by concurrent callers', async () => {
    const { wallet, id } = await signed()
    await times(20, () => settle([id], 'landed'))
    expect(await balanceOf(wallet)).toBe(AMOUNT)
    expect([await countOf(PURCHASES, wallet), await countOf(PUBLISHED, wallet)]).toEqual([1, 1])
  })

  it('has the outcome that is recorded first, and credit if that is a success', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { wallet, id } = await signed()
      await times(6, (n) => settle([id], ['landed', 'expired', 'failed'][(n + round) % 3] ?? ''))
      const [row] = await query('select status, credited_at from payment_intents where id = $1', id)
      expect(await balanceOf(wallet)).toBe(row?.status === 'landed' ? AMOUNT : 0n)
      expect(row?.credited_at !== null).toBe(row?.status === 'landed')
    }
  })

  it('of one wallet next to others, in any order, causes no deadlock', async () => {
    const wallets = [newWallet(), newWallet(), newWallet()]
    const made = []
    for (const wallet of [...wallets, ...wallets, ...wallets]) made.push(await signed(wallet))
    const ids = made.map(({ id }) => id)
    await times(8, (n) => settle(n % 2 ? ids : [...ids].reverse(), 'landed'))
    for (const wallet of wallets) expect(await balanceOf(wallet)).toBe(AMOUNT * 3n)
  })

  it('with another signature or last block than recorded is not settled', async () => {
    const { wallet, id } = await signed()
    const judged = { ids: [id], outcomes: ['landed'], feeStep: 1_000n, now: NOW }
    await postgres.settlePayments.call(db, {
      ...judged,
      networkSignatures: ['another'],
      lastValidBlockHeights: [150n],
    })
    await postgres.settlePayments.call(db, {
      ...judged,
      networkSignatures: ['signature of m'],
      lastValidBlockHeights: [149n],
    })
    expect(await balanceOf(wallet)).toBe(0n)
  })

  it('can not be recorded without its credit, as Workers of the former release would', async () => {
    const { id } = await signed()
    const landed = query(
      "update payment_intents set status = 'landed', resolved_at = now() where id = $1",
      id,
    )
    await expect(landed).rejects.toThrow(/payment_intents_credited/)
  })
})

describe('a purchase that is built', () => {
  it('is its wallet’s only unsigned one in a race; one message of it is signed', async () => {
    const wallet = newWallet()
    const ids = Array.from({ length: 12 }, () => crypto.randomUUID())
    const outcomes = await times(12, async (n) => (await build(wallet, ids[n])).outcome)
    expect(new Set(outcomes)).toEqual(new Set(['recorded']))
    const open = await query("select id from payment_intents where wallet = $1 and status = 'open'", wallet)
    expect(open).toHaveLength(1)
    const [left] = open
    const answers = await times(
      6,
      async (n) => (await sign(wallet, String(left?.id), `message ${n}`)).outcome,
    )
    expect(answers.sort()).toEqual([...Array(5).fill('already_cosigned'), 'recorded'])
  })

  it('is deleted by the next, or signed, never both', async () => {
    for (let round = 0; round < 8; round += 1) {
      const wallet = newWallet()
      const id = crypto.randomUUID()
      await build(wallet, id)
      const [, { outcome }] = await Promise.all([build(wallet), sign(wallet, id)])
      const kept = await query('select cosigned_at from payment_intents where id = $1', id)
      expect(kept).toHaveLength(outcome === 'recorded' ? 1 : 0)
    }
  })
})
