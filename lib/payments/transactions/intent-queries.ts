import {
  and,
  asc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { paymentIntentJobs } from '../../../schema/tables/payment-jobs.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { SETTLE_LEASE_MS } from '../../transactions/relay/limits.ts'

/* Reads and leases built transactions of every kind. */

export type IntentRow = typeof paymentIntents.$inferSelect
type LegRow = typeof paymentIntentLegs.$inferSelect

type JobLegRow = typeof paymentIntentJobs.$inferSelect

/** A built transaction, with the budget accounts and the escrows of jobs whose tokens it moves. */
export type Intent = IntentRow & { legs: LegRow[]; jobs: JobLegRow[] }

/**
 * Selects open intents of which the relay has sent no message yet. A collection or a purchase lacks the
 * service's signature until then; a wallet can send the other kinds without the relay. Wrapped in `sql`,
 * because `and` may return undefined by its type.
 */
export const isAwaitingSignature: SQL = sql`${and(eq(paymentIntents.status, 'open'), isNull(paymentIntents.cosignedAt))}`

/** The columns that every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'wallet' | 'keyVersion' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/** Joins intents with their legs, which are of one kind, one row per leg. {@link intentsOf} groups them. */
export const intentsWhere = (db: Builder, where: SQL | undefined) =>
  db
    .select({
      intent: getTableColumns(paymentIntents),
      leg: getTableColumns(paymentIntentLegs),
      job: getTableColumns(paymentIntentJobs),
    })
    .from(paymentIntents)
    .leftJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, paymentIntents.id))
    .leftJoin(paymentIntentJobs, eq(paymentIntentJobs.intentId, paymentIntents.id))
    .where(where)
    .orderBy(asc(paymentIntents.id), asc(paymentIntentLegs.hireId), asc(paymentIntentJobs.jobId))

/** Groups the rows of {@link intentsWhere}: one intent with all its legs. */
export const intentsOf = (
  joined: { intent: IntentRow; leg: LegRow | null; job: JobLegRow | null }[],
): Intent[] =>
  [...Map.groupBy(joined, ({ intent }) => intent.id).values()].flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const [legs, jobs] = [rows.flatMap(({ leg }) => leg ?? []), rows.flatMap(({ job }) => job ?? [])]
    return [{ ...first.intent, legs, jobs }]
  })

const intentById = read({ id: paymentIntents.id }, (db, $) => intentsWhere(db, eq(paymentIntents.id, $.id)))

/** Finds a built transaction by its id. */
export async function findIntent(db: Db, id: string): Promise<Intent | undefined> {
  const [intent] = intentsOf(await intentById.run(db, { id }))
  return intent
}

/** Checks whether an intent collects for an agent that is suspended at `now`. */
function isSuspendedAt(db: Builder, now: SQLWrapper): SQL<boolean> {
  const hired = hireParties(db, now)
  const suspended = db
    .select({ id: hired.id })
    .from(paymentIntentLegs)
    .innerJoin(hired, eq(hired.id, paymentIntentLegs.hireId))
    .where(and(eq(paymentIntentLegs.intentId, paymentIntents.id), sql`${hired.isSuspended}`))
  return sql<boolean>`(${paymentIntents.kind} = 'collect' and exists (${suspended}))`
}

const intentToSign = read({ id: paymentIntents.id, now: 'timestamptz' }, (db, $) =>
  db
    .select({
      intent: getTableColumns(paymentIntents),
      leg: getTableColumns(paymentIntentLegs),
      job: getTableColumns(paymentIntentJobs),
      isSuspended: isSuspendedAt(db, $.now),
    })
    .from(paymentIntents)
    .leftJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, paymentIntents.id))
    .leftJoin(paymentIntentJobs, eq(paymentIntentJobs.intentId, paymentIntents.id))
    .where(eq(paymentIntents.id, $.id)),
)

/** Finds a built transaction by its id, and whether it collects for a suspended agent. One round trip. */
export async function findToSign(
  db: Db,
  id: string,
  now: Date,
): Promise<{ intent: Intent | undefined; isSuspended: boolean }> {
  const rows = await intentToSign.run(db, { id, now })
  return { intent: intentsOf(rows)[0], isSuspended: rows.some(({ isSuspended }) => isSuspended) }
}

/** `leaseEnd`: the latest `askedAt`, which is never null, whose lease has ended at `now`. */
const leaseTaken = statement(
  { id: paymentIntents.id, now: paymentIntents.askedAt, leaseEnd: paymentIntents.askedAt },
  (db, $) =>
    db
      .update(paymentIntents)
      .set({ askedAt: $.now })
      .where(
        and(
          eq(paymentIntents.id, $.id),
          eq(paymentIntents.status, 'open'),
          or(isNotNull(paymentIntents.cosignedAt), eq(paymentIntents.kind, 'fund_budget')),
          lte(paymentIntents.askedAt, $.leaseEnd),
        ),
      )
      .returning({ id: paymentIntents.id }),
)

/**
 * Finds a built transaction, in one round trip, and takes the lease to ask the chain about it. One caller has
 * the lease at a time, and only while the outcome of a signed transaction is unknown. A funding can be leased
 * before the relay has sent it, too, since its wallet may have sent it without the relay.
 */
export async function leaseIntent(
  db: Db,
  id: string,
  now: Date,
): Promise<{ intent: Intent | undefined; lease: boolean }> {
  const leaseEnd = new Date(now.getTime() - SETTLE_LEASE_MS)
  const [lease, joined] = await batch(db, [leaseTaken.item({ id, now, leaseEnd }), intentById.item({ id })])
  const [intent] = intentsOf(joined)
  return { intent, lease: lease.length > 0 }
}
