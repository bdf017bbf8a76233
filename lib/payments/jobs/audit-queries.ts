import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { jobs } from '../../../schema/tables/jobs.ts'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { paymentIntentJobs } from '../../../schema/tables/payment-jobs.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** An escrow, and the least that it must hold: the price, and once its job has ended what it owes. */
export type OwingEscrow = { id: string; hirer: Wallet; escrow: Address; keyVersion: number; least: bigint }

const owing = read(
  { afterHirer: 'text', afterId: jobs.id, ids: 'uuid[]?', fundedBefore: 'timestamptz', limit: 'integer' },
  (db, $) => {
    const dues = sql`case when ${jobs.paidAt} is null then ${jobs.agentAmount} else 0 end
      + case when ${jobs.refundedAt} is null then ${jobs.hirerAmount} else 0 end`
    const inFlight = db
      .select({ id: paymentIntents.id })
      .from(paymentIntentJobs)
      .innerJoin(paymentIntents, eq(paymentIntents.id, paymentIntentJobs.intentId))
      .where(
        and(
          eq(paymentIntentJobs.jobId, jobs.id),
          eq(paymentIntents.status, 'open'),
          isNotNull(paymentIntents.cosignedAt),
        ),
      )
    return db
      .select({
        id: jobs.id,
        hirer: jobs.hirer,
        escrow: jobs.escrow,
        keyVersion: jobs.keyVersion,
        least: sql`case when ${jobs.agentAmount} is null then ${jobs.price} else ${dues} end`.mapWith(BigInt),
      })
      .from(jobs)
      .where(
        and(
          sql`(${jobs.hirer}, ${jobs.id}) > (${$.afterHirer}, ${$.afterId})`,
          sql`(${$.ids} is null or ${jobs.id} = any (${$.ids}))`,
          isNotNull(jobs.escrow),
          isNull(jobs.escrowClosedAt),
          sql`${jobs.fundedAt} <= ${$.fundedBefore}`,
          sql`(${jobs.agentAmount} is null or ${dues} > 0)`,
          sql`not exists (${inFlight})`,
        ),
      )
      .orderBy(asc(jobs.hirer), asc(jobs.id))
      .limit($.limit)
  },
)

/** The escrow that a page of selectOwing begins after. */
export type OwingAfter = Pick<OwingEscrow, 'hirer' | 'id'>

/**
 * Lists escrows that owe something, of jobs without a message in flight, in the order of the hirers and the
 * jobs' ids.
 * @param page.ids only these jobs
 */
export async function selectOwing(
  db: Db,
  { after, ...page }: { after: OwingAfter; ids?: string[] | undefined; fundedBefore: Date; limit: number },
): Promise<OwingEscrow[]> {
  const rows = await owing.run(db, { ...page, afterHirer: after.hirer, afterId: after.id })
  return rows.flatMap(({ escrow, keyVersion, ...row }) =>
    escrow === null || keyVersion === null ? [] : [{ ...row, escrow, keyVersion }],
  )
}
