import { and, asc, desc, eq, getTableColumns, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { attestations } from '../../schema/tables/attestations.ts'
import type { VerificationLevel, VerificationPriority } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { dealingsOf } from '../agents/queries.ts'
import { firstLoginOf } from '../auth/queries.ts'
import { batch } from '../db/batch.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { happening, insertEvents, jsonObject } from '../outbox/queries.ts'
import { broughtBy } from '../pioneer/queries.ts'
import type { QueuePlace } from './cursor.ts'
import { type Facts, INFRASTRUCTURE_LAYERS } from './rules.ts'

export type AttestationRow = typeof attestations.$inferSelect

/** A wallet's attestations are shown and counted up to this many, the strongest and newest first. */
const MAX_ATTESTATIONS = 200

/** All that a wallet's standing is computed from, in one round trip. */
export async function selectStanding(
  db: Db,
  wallet: Wallet,
): Promise<{ facts: Omit<Facts, 'attestations'>; attestations: AttestationRow[] }> {
  const [[facts], rows] = await batch(db, [
    db
      .select({
        firstLoginAt: firstLoginOf(wallet),
        ...dealingsOf(wallet, INFRASTRUCTURE_LAYERS, broughtBy(wallet)),
      })
      .from(sql`(select) as once`),
    db
      .select()
      .from(attestations)
      .where(eq(attestations.wallet, wallet))
      .orderBy(
        sql`${attestations.verificationLevel} in ('third_party_verified', 'on_chain_proven') desc`,
        desc(attestations.id),
      )
      .limit(MAX_ATTESTATIONS),
  ])
  if (!facts) throw new Error('a select without a table returned no row')
  return { facts, attestations: rows }
}

/**
 * Stores an attestation, or finds the one that the wallet has of this credential: a unique constraint decides.
 * @returns the stored row, which the caller holds against what was sent
 */
export async function insertAttestation(
  db: Db,
  attestation: typeof attestations.$inferInsert,
): Promise<AttestationRow> {
  const [row] = await db
    .insert(attestations)
    .values(attestation)
    // An update that changes nothing, so that the row is returned whoever inserted it.
    .onConflictDoUpdate({
      target: [attestations.wallet, attestations.credentialType, attestations.credentialId],
      set: { wallet: sql`${attestations.wallet}` },
    })
    .returning()
  if (!row) throw new Error('an upsert returned no row')
  return row
}

export async function findAttestation(db: Db, id: string): Promise<AttestationRow | undefined> {
  const [row] = await db.select().from(attestations).where(eq(attestations.id, id))
  return row
}

/**
 * Puts the wallet's attestation in line for verification, unless it stands there or is verified.
 * @returns the attestation as it then is, and whether this call put it in line; undefined when it is unknown
 */
export async function requestVerification(
  db: Db,
  request: { id: string; wallet: Wallet; priority: VerificationPriority; now: Date },
): Promise<{ row: AttestationRow; isNew: boolean } | undefined> {
  const target = locked(db, request.id)
  const requested = db.$with('requested').as(
    db
      .update(attestations)
      .set({
        status: 'pending',
        priority: request.priority,
        requestedAt: request.now,
        decidedAt: null,
        decidedBy: null,
        reason: null,
      })
      .from(target)
      .where(
        and(
          eq(attestations.id, target.id),
          eq(target.wallet, request.wallet),
          or(isNull(target.status), eq(target.status, 'rejected')),
        ),
      )
      .returning(getTableColumns(attestations)),
  )
  const [found] = await db
    .with(target, requested)
    .select({ before: columnsOf(target), after: columnsOf(requested) })
    .from(target)
    .leftJoin(requested, sql`true`)
  return found && { row: found.after ?? found.before, isNew: found.after !== null }
}

/** What checking came to. `expiresAt`: an earlier end than the credential's own. */
export type Verdict =
  | {
      status: 'verified'
      level: VerificationLevel
      by: string
      expiresAt?: Date | undefined
      reason?: string | undefined
    }
  | { status: 'rejected'; by: string; reason?: string | undefined }

/**
 * Decides an attestation that is in `from`, unless the decider is its own wallet, and reports it: of parallel calls one decides.
 * @returns the attestation before and, if this call decided it, after; undefined when it is unknown
 */
export async function decide(
  db: Db,
  id: string,
  from: 'pending' | 'in_review',
  verdict: Verdict,
  now: Date,
): Promise<{ before: AttestationRow; after: AttestationRow | null } | undefined> {
  const target = locked(db, id)
  const decided = db.$with('decided').as(
    db
      .update(attestations)
      .set({
        status: verdict.status,
        decidedAt: now,
        decidedBy: verdict.by,
        reason: verdict.reason ?? null,
        ...(verdict.status === 'verified' ? { verificationLevel: verdict.level } : {}),
        ...(verdict.status === 'verified' && verdict.expiresAt !== undefined
          ? {
              expiresAt: sql`least(${attestations.expiresAt}, ${verdict.expiresAt.toISOString()}::timestamptz)`,
            }
          : {}),
      })
      .from(target)
      .where(
        and(eq(attestations.id, target.id), eq(target.status, from), sql`${target.wallet} <> ${verdict.by}`),
      )
      .returning(getTableColumns(attestations)),
  )
  const event = db.$with('event', { id: sql`id` }).as(insertEvents(now, [attestationDecided(verdict.status)]))
  const [found] = await db
    .with(target, decided, event)
    .select({ before: columnsOf(target), after: columnsOf(decided) })
    .from(target)
    .leftJoin(decided, sql`true`)
  return found
}

const attestationDecided = (status: Verdict['status']): SQL =>
  sql`${happening({
    type: `attestation.${status}`,
    occurredAt: sql`decided.decided_at`,
    wallet: sql`decided.wallet`,
    data: jsonObject({
      attestationId: sql`decided.id`,
      credentialType: sql`decided.credential_type`,
      credentialId: sql`decided.credential_id`,
      verificationLevel: sql`decided.verification_level`,
      decidedBy: sql`decided.decided_by`,
      reason: sql`decided.reason`,
    }),
  })} from decided`

/** Hands a waiting attestation to the human oracles. Changes nothing if it has moved on. */
export async function moveToReview(db: Db, id: string): Promise<void> {
  await db
    .update(attestations)
    .set({ status: 'in_review' })
    .where(and(eq(attestations.id, id), eq(attestations.status, 'pending')))
}

/** Attestations that wait to be taken, expedited ones first, then the oldest. */
export const selectPending = (db: Db, requestedBefore: Date, limit: number): Promise<AttestationRow[]> =>
  db
    .select()
    .from(attestations)
    .where(and(eq(attestations.status, 'pending'), lte(attestations.requestedAt, requestedBefore)))
    .orderBy(asc(attestations.priority), asc(attestations.requestedAt), asc(attestations.id))
    .limit(limit)

/** Attestations in review after a place in the oracles' queue: expedited ones first, then the oldest. */
export const selectInReview = (
  db: Db,
  after: QueuePlace | undefined,
  limit: number,
): Promise<AttestationRow[]> =>
  db
    .select()
    .from(attestations)
    .where(and(eq(attestations.status, 'in_review'), after === undefined ? undefined : isAfter(after)))
    .orderBy(asc(attestations.priority), asc(attestations.requestedAt), asc(attestations.id))
    .limit(limit)

const isAfter = ({ priority, requestedAt, id }: QueuePlace): SQL =>
  sql`(${attestations.priority}, ${attestations.requestedAt}, ${attestations.id}) > (${priority}, ${requestedAt}::timestamptz, ${id}::uuid)`

const locked = (db: Db, id: string) =>
  db.$with('target').as(db.select().from(attestations).where(eq(attestations.id, id)).for('update'))
