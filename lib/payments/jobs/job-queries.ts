import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { jobs } from '../../../schema/tables/jobs.ts'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { paymentIntentJobs } from '../../../schema/tables/payment-jobs.ts'
import { jobPaymentKinds } from '../../../schema/values.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { firstIdOf, LAST_ID } from '../../id-range.ts'
import { type Intent, intentsOf, intentsWhere } from '../transactions/intent-queries.ts'

/* Reads jobs for their payments. */

const columns = {
  id: jobs.id,
  owner: jobs.owner,
  hirer: jobs.hirer,
  price: jobs.price,
  feeBps: jobs.feeBps,
  termsHash: jobs.termsHash,
  keyVersion: jobs.keyVersion,
  agentAmount: jobs.agentAmount,
  hirerAmount: jobs.hirerAmount,
  escrow: jobs.escrow,
  paidAt: jobs.paidAt,
  refundedAt: jobs.refundedAt,
  escrowClosedAt: jobs.escrowClosedAt,
}

const jobById = read({ id: jobs.id }, (db, $) => db.select(columns).from(jobs).where(eq(jobs.id, $.id)))

const straysOf = read({ id: jobs.id }, (db, $) =>
  db
    .select({
      address: paymentIntentJobs.address,
      amount: paymentIntentJobs.amount,
      returnedAt: paymentIntentJobs.returnedAt,
    })
    .from(paymentIntentJobs)
    .where(and(eq(paymentIntentJobs.jobId, $.id), isNotNull(paymentIntentJobs.strayAt)))
    .orderBy(asc(paymentIntentJobs.intentId)),
)

/** A job as its payments need it. */
export type PaidJob = NonNullable<Awaited<ReturnType<typeof findPaidJob>>['job']>

/** Finds a job, and the escrows of its stray fundings. One round trip. */
export async function findPaidJob(db: Db, id: string) {
  const [[job], strays] = await batch(db, [jobById.item({ id }), straysOf.item({ id })])
  return { job, strays }
}

/** An escrow of a funding that was confirmed too late, and whether its hirer has had the amount back. */
export type Stray = Awaited<ReturnType<typeof findPaidJob>>['strays'][number]

const range = { firstId: jobs.id, lastId: jobs.id }

/** Returns the ids of a range: all, or one job's. */
const rangeOf = (jobId: string | undefined) => ({ firstId: jobId ?? firstIdOf(0), lastId: jobId ?? LAST_ID })

// A range of an index of such jobs, in order, so that the planner reads no other jobs by their ids.
const isIn = (of: typeof jobs.owner | typeof jobs.hirer, wallet: SQL, $: { firstId: SQL; lastId: SQL }) =>
  and(
    sql`(${of}, ${jobs.id}) >= (${wallet}, ${$.firstId})`,
    sql`(${of}, ${jobs.id}) <= (${wallet}, ${$.lastId})`,
  )

const unpaidJobs = read({ owner: jobs.owner, ...range, limit: 'integer' }, (db, $) =>
  db
    .select(columns)
    .from(jobs)
    .where(and(isIn(jobs.owner, $.owner, $), sql`${jobs.agentAmount} > 0 and ${jobs.paidAt} is null`))
    .orderBy(asc(jobs.owner), asc(jobs.id))
    .limit($.limit),
)

/** Lists jobs with money due to an agents' owner, the oldest first. */
export const selectUnpaidJobs = (
  db: Db,
  { jobId, ...page }: { owner: Wallet; jobId?: string | undefined; limit: number },
) => unpaidJobs.run(db, { ...page, ...rangeOf(jobId) })

const closableJobs = read({ hirer: jobs.hirer, ...range, limit: 'integer' }, (db, $) =>
  db
    .select(columns)
    .from(jobs)
    .where(
      and(
        isIn(jobs.hirer, $.hirer, $),
        inArray(jobs.status, ['completed', 'rejected', 'expired']),
        sql`${jobs.escrow} is not null and ${jobs.escrowClosedAt} is null`,
        sql`(${jobs.agentAmount} = 0 or ${jobs.paidAt} is not null)`,
        sql`(${jobs.hirerAmount} = 0 or ${jobs.refundedAt} is not null)`,
      ),
    )
    .orderBy(asc(jobs.hirer), asc(jobs.id))
    .limit($.limit),
)

/** Lists jobs of a hirer whose escrows owe nothing and are not known to be closed, the oldest first. */
export const selectClosableJobs = (
  db: Db,
  { jobId, ...page }: { hirer: Wallet; jobId?: string | undefined; limit: number },
) => closableJobs.run(db, { ...page, ...rangeOf(jobId) })

const closed = statement({ hirer: jobs.hirer, escrows: 'text[]', now: 'timestamptz' }, (db, $) =>
  db
    .update(jobs)
    .set({ escrowClosedAt: sql`${$.now}` })
    .where(
      and(
        eq(jobs.hirer, $.hirer),
        sql`${jobs.escrow} is not null and ${jobs.escrow} = any (${$.escrows})`,
        inArray(jobs.status, ['completed', 'rejected', 'expired']),
        isNull(jobs.escrowClosedAt),
      ),
    ),
)

/** Records that a hirer has closed escrows without the service. */
export async function recordClosed(
  db: Db,
  at: { hirer: Wallet; escrows: Address[]; now: Date },
): Promise<void> {
  if (at.escrows.length > 0) await closed.run(db, at)
}

const overIntents = read({ jobId: jobs.id, limit: 'integer' }, (db, $) => {
  const legs = db
    .select({ intentId: paymentIntentJobs.intentId })
    .from(paymentIntentJobs)
    .where(eq(paymentIntentJobs.jobId, $.jobId))
    .orderBy(sql`${paymentIntentJobs.intentId} desc`)
    .limit($.limit)
  return intentsWhere(
    db,
    and(
      inArray(paymentIntents.id, legs),
      inArray(paymentIntents.kind, jobPaymentKinds),
      inArray(paymentIntents.status, ['expired', 'failed']),
      isNotNull(paymentIntents.cosignedAt),
    ),
  )
})

/** Lists the newest transactions of a job that were signed and did not land, as far as is known. */
export const selectOverIntents = async (db: Db, jobId: string, limit: number): Promise<Intent[]> =>
  intentsOf(await overIntents.run(db, { jobId, limit }))
