import { sql } from 'drizzle-orm'
import { bigint, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { computed, recordset } from '../../lib/db/columns.ts'
import type { Db } from '../../lib/db/connect.ts'
import { statement } from '../../lib/db/statement.ts'
import { recordPaid } from '../../lib/reputation/dealings/paid-queries.ts'
import type { Wallet } from '../../schema/wallet.ts'

/** One CRED in lamports; tests take it as the step, too. */
export const ONE_CRED = 1_000_000_000n

/** What was collected for a hire and a layer. */
export type Payment = {
  hireId: string
  agentId: string
  owner: Wallet
  payer: Wallet
  layer?: number
  amount: bigint
  fee: bigint
}

const columns = computed({
  hireId: uuid('hire_id'),
  agentId: uuid('agent_id'),
  owner: text(),
  payer: text(),
  layer: smallint(),
  amount: bigint({ mode: 'bigint' }),
  fee: bigint({ mode: 'bigint' }),
})

const collection = statement({ rows: 'json', feeStep: 'bigint' }, (db, $) => {
  const paid = db.$with('paid', columns).as(sql`select * from ${recordset($.rows, columns)}`)
  return db
    .with(paid, ...recordPaid(db, { paid, feeStep: $.feeStep }))
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(paid)
})

/** Counts payments as the statement that settles a collection does, without charges and chain. */
export const recordPayments = (db: Db, payments: Payment[], feeStep = ONE_CRED) =>
  collection.run(db, {
    feeStep,
    rows: payments.map((payment) => ({
      hire_id: payment.hireId,
      agent_id: payment.agentId,
      owner: payment.owner,
      payer: payment.payer,
      layer: payment.layer ?? null,
      amount: String(payment.amount),
      fee: String(payment.fee),
    })),
  })
