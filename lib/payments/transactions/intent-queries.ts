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
import { hireParties } from '../../agents/parts/hire-term.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { SETTLE_LEASE_MS } from '../../transactions/relay/limits.ts'

/* Transactions that were built, of every kind. */

export type IntentRow = typeof paymentIntents.$inferSelect
type LegRow = typeof paymentIntentLegs.$inferSelect

/** A built transaction and the budget accounts that it moves tokens of. */
export type Intent = IntentRow & { legs: LegRow[] }

/** Built, and not signed by the relay: nothing can come of it but by the relay. */
export const isAwaitingSignature: SQL = sql`${and(eq(paymentIntents.status, 'open'), isNull(paymentIntents.cosignedAt))}`

/** What every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'wallet' | 'generation' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/** Intents joined with their legs, a row for each leg; {@link intentsOf} puts them together. */
export const intentsWhere = (db: Builder, where: SQL | undefined) =>
  db
    .select({ intent: getTableColumns(paymentIntents), leg: getTableColumns(paymentIntentLegs) })
    .from(paymentIntents)
    .leftJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, paymentIntents.id))
    .where(where)
    .orderBy(asc(paymentIntents.id), asc(paymentIntentLegs.hireId))

/** Puts the rows of {@link intentsWhere} together, an intent with all its legs. */
export const intentsOf = (joined: { intent: IntentRow; leg: LegRow | null }[]): Intent[] =>
  [...Map.groupBy(joined, ({ intent }) => intent.id).values()].flatMap((rows) => {
    const [first] = rows
    return first ? [{ ...first.intent, legs: rows.flatMap(({ leg }) => leg ?? []) }] : []
  })

const intentById = read({ id: paymentIntents.id }, (db, $) => intentsWhere(db, eq(paymentIntents.id, $.id)))

/** Finds a built transaction by its id. */
export async function findIntent(db: Db, id: string): Promise<Intent | undefined> {
  const [intent] = intentsOf(await intentById.run(db, { id }))
  return intent
}

/** Whether an intent collects for an agent that is suspended now. */
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
      isSuspended: isSuspendedAt(db, $.now),
    })
    .from(paymentIntents)
    .leftJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, paymentIntents.id))
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
 * Finds a built transaction. `lease` says whether this caller may ask the chain about it: of all within the
 * lease's time one may, and only while its outcome is unknown: of one that the relay has signed, or of a
 * funding, which its wallet may have sent itself. One round trip.
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
