import { and, eq, getTableColumns, isNull, ne, or, type SQLWrapper, sql } from 'drizzle-orm'
import { attestations } from '../../schema/tables/attestations.ts'
import type { VerificationLevel, VerificationPriority } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { optional, statement } from '../db/statement.ts'
import { recordEvents } from '../outbox/queries.ts'
import { attestationDecided } from './event-queries.ts'
import type { AttestationRow } from './queries.ts'

/** The attestation as it stands, locked: a CTE. */
const locked = (db: Db, id: SQLWrapper) =>
  db.$with('target').as(db.select().from(attestations).where(eq(attestations.id, id)).for('update'))

const verificationRequest = statement(
  { id: attestations.id, wallet: attestations.wallet, priority: 'text', now: 'timestamptz' },
  (db, $) => {
    const target = locked(db, $.id)
    const requested = db.$with('requested').as(
      db
        .update(attestations)
        .set({
          status: 'pending',
          priority: $.priority,
          requestedAt: $.now,
          decidedAt: null,
          decidedBy: null,
          reason: null,
        })
        .from(target)
        .where(
          and(
            eq(attestations.id, target.id),
            eq(target.wallet, $.wallet),
            or(isNull(target.status), eq(target.status, 'rejected')),
          ),
        )
        .returning(getTableColumns(attestations)),
    )
    return db
      .with(target, requested)
      .select({ before: columnsOf(target), after: columnsOf(requested) })
      .from(target)
      .leftJoin(requested, sql`true`)
  },
)

/**
 * Puts the wallet's attestation in line for verification, unless it stands there or is verified.
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
    now: 'timestamptz',
  },
  (db, $, { status }: Pick<Decision, 'status'>) => {
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
        })
        .from(target)
        .where(and(eq(attestations.id, target.id), eq(target.status, $.from), ne(target.wallet, $.by)))
        .returning(getTableColumns(attestations)),
    )
    const event = recordEvents(db, $.now, [attestationDecided(db, decided, status)])
    return db
      .with(target, decided, event)
      .select({ before: columnsOf(target), after: columnsOf(decided) })
      .from(target)
      .leftJoin(decided, sql`true`)
  },
)

/**
 * Decides an attestation that is in `from`, unless the decider is its own wallet, and reports it: of parallel
 * calls one decides.
 * @returns the attestation before and, if this call decided it, after; undefined when it is unknown
 */
export async function decide(
  db: Db,
  id: string,
  from: 'pending' | 'in_review',
  { status, ...decision }: Decision,
  now: Date,
): Promise<{ before: AttestationRow; after: AttestationRow | null } | undefined> {
  const [found] = await decisionRecord.run(db, { id, from, ...decision, now }, { status })
  return found
}

const reviewHandover = statement({ id: attestations.id }, (db, $) =>
  db
    .update(attestations)
    .set({ status: 'in_review' })
    .where(and(eq(attestations.id, $.id), eq(attestations.status, 'pending'))),
)

/** Hands a waiting attestation to the human oracles. Changes nothing if it has moved on. */
export async function moveToReview(db: Db, id: string): Promise<void> {
  await reviewHandover.run(db, { id })
}
