import { and, asc, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { attestations } from '../../../schema/tables/attestations.ts'
import { isInstant } from '../../../schema/times.ts'
import { type VerificationPriority, verificationPriorities } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { AttestationRow } from '../queries.ts'

/**
 * The order of the queue: by the weight that the wallet has paid, so that unpaid wallets can't delay paying
 * ones. Then expedited requests, then the oldest.
 */
const inLine = [
  sql`(-${attestations.paidWeight})`,
  attestations.priority,
  attestations.requestedAt,
  attestations.id,
] as const

const pendingAttestations = read({ limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(eq(attestations.status, 'pending'))
    .orderBy(...inLine.map((column) => asc(column)))
    .limit($.limit),
)

/** Selects the first pending attestations of the queue. */
export const selectPending = (db: Db, limit: number): Promise<AttestationRow[]> =>
  pendingAttestations.run(db, { limit })

const attestationsInReview = read(
  {
    ...{ paidWeight: 'bigint?', priority: 'text?', requestedAt: 'timestamptz?', id: 'uuid?' },
    ...{ wallet: 'text?', limit: 'integer' },
  },
  (db, $, { hasCursor, isOfWallet }: { hasCursor: boolean; isOfWallet: boolean }) =>
    db
      .select()
      .from(attestations)
      .where(
        and(
          eq(attestations.status, 'in_review'),
          isOfWallet ? eq(attestations.wallet, $.wallet) : undefined,
          hasCursor
            ? sql`(${sql.join([...inLine], sql`, `)}) > (-${$.paidWeight}, ${$.priority}, ${$.requestedAt}, ${$.id})`
            : undefined,
        ),
      )
      .orderBy(...inLine.map((column) => asc(column)))
      .limit($.limit),
)

/**
 * Selects attestations in review, of one wallet or all, in the order of the queue, after a cursor.
 */
export const selectInReview = (
  db: Db,
  { after, wallet, limit }: { after?: QueueCursor | undefined; wallet?: Wallet | undefined; limit: number },
): Promise<AttestationRow[]> =>
  attestationsInReview.run(
    db,
    { ...after, wallet, limit },
    { hasCursor: after !== undefined, isOfWallet: wallet !== undefined },
  )

const reviewHandover = statement({ id: attestations.id, reason: attestations.reason }, (db, $) =>
  db
    .update(attestations)
    .set({ status: 'in_review', reason: $.reason })
    .where(and(eq(attestations.id, $.id), eq(attestations.status, 'pending'))),
)

/**
 * Moves a pending attestation to review by the oracles. Does nothing if it is no longer pending.
 * @param reason why its account was not enough
 */
export async function moveToReview(db: Db, id: string, reason?: string): Promise<void> {
  await reviewHandover.run(db, { id, reason })
}

/** The sort key of the last attestation of a page. */
type QueueCursor = { paidWeight: bigint; priority: VerificationPriority; requestedAt: Date; id: string }

const Parts = v.strictTuple([
  v.pipe(
    v.string(),
    v.regex(/^\d{1,18}$/),
    v.transform((text) => BigInt(text)),
  ),
  v.picklist(verificationPriorities),
  v.pipe(
    v.string(),
    v.check(isInstant),
    v.transform((text) => new Date(text)),
  ),
  v.pipe(v.string(), v.uuid()),
])

export const encodeCursor = ({ paidWeight, priority, requestedAt, id }: QueueCursor): string =>
  makeCursor([String(paidWeight), priority, requestedAt.toISOString(), id])

/** @throws ApiError invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): QueueCursor {
  const [paidWeight, priority, requestedAt, id] = readCursor(Parts, cursor)
  return { paidWeight, priority, requestedAt, id }
}
