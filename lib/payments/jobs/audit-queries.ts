import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { jobs } from '../../../schema/tables/jobs.ts'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { paymentIntentJobs } from '../../../schema/tables/payment-jobs.ts'
import type { Address } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** An escrow, and the least that it must hold: the price, and once its job has ended what it owes. */
export type OwingEscrow = { id: string; escrow: Address; keyVersion: number; least: bigint }

const owing = read(
  { after: jobs.id, ids: 'uuid[]?', fundedBefore: 'timestamptz', limit: 'integer' },
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
        escrow: jobs.escrow,
        keyVersion: jobs.keyVersion,
        least: sql`case when ${jobs.agentAmount} is null then ${jobs.price} else ${dues} end`.mapWith(BigInt),
      })
      .from(jobs)
      .where(
        and(
          gt(jobs.id, $.after),
          sql`(${$.ids} is null or ${jobs.id} = any (${$.ids}))`,
          isNotNull(jobs.escrow),
          isNull(jobs.escrowClosedAt),
          sql`${jobs.fundedAt} <= ${$.fundedBefore}`,
          sql`(${jobs.agentAmount} is null or ${dues} > 0)`,
          sql`not exists (${inFlight})`,
        ),
      )
      .orderBy(asc(jobs.id))
      .limit($.limit)
  },
)

/** Lists escrows that owe something, of jobs without a message in flight, in the order of the jobs' ids. */
export async function selectOwing(
  db: Db,
  page: { after: string; ids?: string[] | undefined; fundedBefore: Date; limit: number },
): Promise<OwingEscrow[]> {
  const rows = await owing.run(db, page)
  return rows.flatMap(({ escrow, keyVersion, ...row }) =>
    escrow === null || keyVersion === null ? [] : [{ ...row, escrow, keyVersion }],
  )
}
