import { and, eq, getTableColumns, isNull, ne, or, type SQLWrapper, sql } from 'drizzle-orm'
import { attestations } from '../../../schema/tables/attestations.ts'
import type { VerificationLevel, VerificationPriority } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Builder } from '../../db/builder.ts'
import { columnsOf, hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { optional, statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { attestationDecided } from '../event-queries.ts'
import type { AttestationRow } from '../queries.ts'
import { grantExpedited, releaseExpedited } from './expedited-queries.ts'

/** The attestation as it stands, locked: a CTE. */
const locked = (db: Builder, id: SQLWrapper) =>
  db.$with('target').as(db.select().from(attestations).where(eq(attestations.id, id)).for('update'))

const verificationRequest = statement(
  { id: attestations.id, wallet: attestations.wallet, priority: 'text', now: 'timestamptz' },
  (db, $) => {
    const target = locked(db, $.id)
    const isWanted = and(
      eq(target.wallet, $.wallet),
      or(isNull(target.status), eq(target.status, 'rejected')),
    )
    const granted = grantExpedited(db, target, and(isWanted, sql`${$.priority} = 'expedited'`))
    const requested = db.$with('requested').as(
      db
        .update(attestations)
        .set({
          status: 'pending',
          priority: sql`case when ${hasRows(granted)} then 'expedited' else 'normal' end`,
          requestedAt: $.now,
          decidedAt: null,
          decidedBy: null,
          reason: null,
        })
        .from(target)
        .where(and(eq(attestations.id, target.id), isWanted))
        .returning(getTableColumns(attestations)),
    )
    return db
      .with(target, granted, requested)
      .select({ before: columnsOf(target), after: columnsOf(requested) })
      .from(target)
      .leftJoin(requested, sql`true`)
  },
)

/**
 * Puts the wallet's attestation in line for verification, unless it stands there or is verified; as normal
 * where the wallet has as many expedited ones open as it may.
 * @returns the attestation as it then is, and whether this call put it in line; undefined when it is unknown
 */
export async function requestVerification(
  db: Db,
  request: { id: string; wallet: Wallet; priority: VerificationPriority; now: Date },
): Promise<{ row: AttestationRow; isNew: boolean } | undefined> {
  const [found] = await verificationRequest.run(db, request)
  return found && { row: found.after ?? found.before, isNew: found.after !== null }
}

/** What checking an attestation came to. `expiresAt`: an earlier end than the credential's own. */
export type Decision =
  | {
      status: 'verified'
      level: VerificationLevel
      by: string
      expiresAt?: Date | undefined
      /** The slot at which the account `by` was seen to prove it, if it is that. */
      proofSlot?: bigint | undefined
      reason?: string | undefined
    }
  | { status: 'rejected'; by: string; reason?: string | undefined }

const decisionRecord = statement(
  {
    id: attestations.id,
    from: 'text',
    by: 'text',
    reason: attestations.reason,
    level: optional(attestations.verificationLevel),
    expiresAt: attestations.expiresAt,
    proofSlot: attestations.proofSlot,
    now: 'timestamptz',
  },
  (db, $, { status, isProof }: Pick<Decision, 'status'> & { isProof: boolean }) => {
    const target = locked(db, $.id)
    const decided = db.$with('decided').as(
      db
        .update(attestations)
        .set({
          status,
          decidedAt: $.now,
          decidedBy: $.by,
          reason: $.reason,
          ...(status === 'verified'
            ? // least() ignores nulls.
              { verificationLevel: $.level, expiresAt: sql`least(${attestations.expiresAt}, ${$.expiresAt})` }
            : {}),
          ...(isProof ? { proofAccount: $.by, proofSlot: $.proofSlot, proofSeenAt: $.now } : {}),
        })
        .from(target)
        .where(and(eq(attestations.id, target.id), eq(target.status, $.from), ne(target.wallet, $.by)))
        .returning(getTableColumns(attestations)),
    )
    const released = releaseExpedited(db, decided)
    const event = recordEvents(db, $.now, [attestationDecided(db, decided, status)])
    const delivery = putInLine(db, $.now, event)
    return db
      .with(target, decided, released, event, delivery)
      .select({ before: columnsOf(target), after: columnsOf(decided), due: endpointsDue(delivery) })
      .from(target)
      .leftJoin(decided, sql`true`)
  },
)

/**
 * Decides an attestation that is in `from`, unless the decider is its own wallet, and reports it: of parallel
 * calls one decides. A proof on the chain is refused by the constraint attestations_one_for_each_proof when
 * its account has proven another.
 * @returns the attestation before and, if this call decided it, after, and the endpoints that the event is
 *   due to; undefined when it is unknown
 */
export async function decide(
  db: Db,
  id: string,
  from: 'pending' | 'in_review',
  { status, ...decision }: Decision,
  now: Date,
): Promise<{ before: AttestationRow; after: AttestationRow | null; due: string[] } | undefined> {
  const isProof = 'proofSlot' in decision && decision.proofSlot !== undefined
  const [found] = await decisionRecord.run(db, { id, from, ...decision, now }, { status, isProof })
  return found
}

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
