import { type SQLWrapper, sql } from 'drizzle-orm'
import { batch } from '../../lib/db/batch.ts'
import type { Db } from '../../lib/db/connect.ts'
import { statement } from '../../lib/db/statement.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Wallet } from '../../schema/wallet.ts'

/** One CRED in lamports; tests take it as the step, too. */
export const ONE_CRED = 1_000_000_000n

/** A sum collected for a hire and a layer. */
export type Payment = {
  hireId: string
  agentId: string
  owner: Wallet
  payer: Wallet
  layer?: number
  amount: bigint
  fee: bigint
}

const paidRows = (rows: SQLWrapper) => sql`json_populate_recordset(null::charges, ${rows})`

// The function is a part of others, which find what it calls by their search_path.
const inRelease = statement(
  {},
  () => sql`select set_config('search_path', ${`${API_SCHEMA}, public, pg_temp`}, true)`,
)
const agentsLocked = statement(
  { rows: 'json' },
  (_db, $) => sql`
    select from agents where id in (select agent_id from ${paidRows($.rows)}) order by id for no key update`,
)
const paidRecorded = statement(
  { rows: 'json', feeStep: 'bigint', now: 'timestamptz' },
  (_db, $) =>
    sql`select record_paid(array(select paid from ${paidRows($.rows)} as paid), ${$.feeStep}, ${$.now})`,
)

/** Counts payments as the function that settles a collection does, without charges and chain. */
export async function recordPayments(
  db: Db,
  payments: Payment[],
  feeStep = ONE_CRED,
  now = new Date('2026-06-01T12:00:00Z'),
): Promise<void> {
  const rows = payments.map((payment) => ({
    hire_id: payment.hireId,
    agent_id: payment.agentId,
    owner: payment.owner,
    hirer: payment.payer,
    layer: payment.layer ?? null,
    amount: String(payment.amount),
    fee: String(payment.fee),
  }))
  await batch(db, [
    inRelease.item({}),
    agentsLocked.item({ rows }),
    paidRecorded.item({ rows, feeStep, now }),
  ])
}
