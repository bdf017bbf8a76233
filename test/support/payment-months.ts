import { inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import { paymentMonths } from '../../schema/tables/payment-months.ts'
import { charges } from '../../schema/tables/payments.ts'
import { requestPayments } from '../../schema/tables/x402.ts'
import type { DrizzleDb } from './database.ts'

type Sum = { payments: number; amount: bigint; fee: bigint }

/**
 * Compares the monthly totals of agents with sums over all their charges and payments.
 * @returns the number of totals
 */
export async function expectPaymentMonths(db: DrizzleDb, agentIds: string[]): Promise<number> {
  const expected = new Map<string, Sum>()
  function add(at: Date, key: string[], amount: bigint, fee: bigint): void {
    const name = [`${at.toISOString().slice(0, 7)}-01`, ...key].join(' ')
    const sum = expected.get(name) ?? { payments: 0, amount: 0n, fee: 0n }
    expected.set(name, { payments: sum.payments + 1, amount: sum.amount + amount, fee: sum.fee + fee })
  }
  for (const row of await db.select().from(charges).where(inArray(charges.agentId, agentIds))) {
    if (row.status !== 'collected' || !row.collectedAt) continue
    for (const [role, wallet] of [['owner', row.owner] as const, ['hirer', row.hirer] as const])
      add(row.collectedAt, [role, wallet, row.agentId, 'charge', ''], row.amount, row.fee ?? 0n)
  }
  for (const row of await db
    .select()
    .from(requestPayments)
    .where(inArray(requestPayments.agentId, agentIds))) {
    if (row.status !== 'settled') continue
    const coin = row.fee === null ? row.asset : ''
    add(row.createdAt, ['owner', row.owner, row.agentId, 'request', coin], row.amount, row.debit)
    add(row.createdAt, ['hirer', row.payer, row.agentId, 'request', coin], row.amount, 0n)
  }
  const rows = await db.select().from(paymentMonths).where(inArray(paymentMonths.agentId, agentIds))
  const stored = rows.map(({ month, role, wallet, agentId, kind, coin, payments, amount, fee }) => [
    [month, role, wallet, agentId, kind, coin].join(' '),
    { payments, amount, fee },
  ])
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected))
  return rows.length
}
