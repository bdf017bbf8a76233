import { and, asc, eq, lte, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { attestations } from '../../../schema/tables/attestations.ts'
import { isInstant } from '../../../schema/times.ts'
import { type VerificationPriority, verificationPriorities } from '../../../schema/values.ts'
import { openCursor, sealCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { AttestationRow } from '../queries.ts'

/** The order in which attestations wait: expedited ones first, then the oldest. */
const inLine = [attestations.priority, attestations.requestedAt, attestations.id] as const

const pendingAttestations = read({ requestedBefore: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(and(eq(attestations.status, 'pending'), lte(attestations.requestedAt, $.requestedBefore)))
    .orderBy(...inLine.map((column) => asc(column)))
    .limit($.limit),
)

/** Selects attestations that wait to be taken, expedited ones first, then the oldest. */
export const selectPending = (db: Db, requestedBefore: Date, limit: number): Promise<AttestationRow[]> =>
  pendingAttestations.run(db, { requestedBefore, limit })

const attestationsInReview = read(
  { priority: 'text?', requestedAt: 'timestamptz?', id: 'uuid?', limit: 'integer' },
  (db, $, { hasCursor }: { hasCursor: boolean }) =>
    db
      .select()
      .from(attestations)
      .where(
        and(
          eq(attestations.status, 'in_review'),
          hasCursor
            ? sql`(${sql.join([...inLine], sql`, `)}) > (${$.priority}, ${$.requestedAt}, ${$.id})`
            : undefined,
        ),
      )
      .orderBy(...inLine.map((column) => asc(column)))
      .limit($.limit),
)

/**
 * Selects attestations in review after a cursor of the oracles' queue: expedited ones first, then the oldest.
 */
export const selectInReview = (
  db: Db,
  after: QueueCursor | undefined,
  limit: number,
): Promise<AttestationRow[]> =>
  attestationsInReview.run(db, { ...after, limit }, { hasCursor: after !== undefined })

const reviewHandover = statement({ id: attestations.id, reason: attestations.reason }, (db, $) =>
  db
    .update(attestations)
    .set({ status: 'in_review', reason: $.reason })
    .where(and(eq(attestations.id, $.id), eq(attestations.status, 'pending'))),
)

/**
 * Hands a waiting attestation to the human oracles. Changes nothing if it has moved on.
 * @param reason why, where its account was not enough
 */
export async function moveToReview(db: Db, id: string, reason?: string): Promise<void> {
  await reviewHandover.run(db, { id, reason })
}

/** The last attestation of a page in the order of the oracles' queue (priority, requestedAt, id). */
type QueueCursor = { priority: VerificationPriority; requestedAt: Date; id: string }

const Parts = v.strictTuple([
  v.picklist(verificationPriorities),
  v.pipe(
    v.string(),
    v.check(isInstant),
    v.transform((text) => new Date(text)),
  ),
  v.pipe(v.string(), v.uuid()),
])

export const encodeCursor = ({ priority, requestedAt, id }: QueueCursor): string =>
  sealCursor([priority, requestedAt.toISOString(), id])

/** @throws Refusal invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): QueueCursor {
  const [priority, requestedAt, id] = openCursor(Parts, cursor)
  return { priority, requestedAt, id }
}
