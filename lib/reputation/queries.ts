import { desc, eq, sql } from 'drizzle-orm'
import { attestations } from '../../schema/tables/attestations.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { layersServedBy } from '../agents/parts/part-queries.ts'
import { firstLoginOf } from '../auth/queries.ts'
import { batch } from '../db/batch.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import { countAttestation } from '../quotas/queries.ts'
import { layersWeightOf, totalsOf } from './dealings/queries.ts'
import { weightOf } from './dealings/rules.ts'
import { type Facts, INFRASTRUCTURE_LAYERS } from './rules.ts'

export type AttestationRow = typeof attestations.$inferSelect

/** A wallet's attestations are shown and counted up to this many, the strongest and newest first. */
const MAX_ATTESTATIONS = 200

const walletFacts = read({ wallet: 'text', feeStep: 'bigint' }, (db, $) =>
  db
    .select({
      firstLoginAt: firstLoginOf($.wallet),
      ...totalsOf($.wallet),
      infrastructureLayers: layersServedBy($.wallet, INFRASTRUCTURE_LAYERS),
      layersWeight: layersWeightOf($.wallet, INFRASTRUCTURE_LAYERS, $.feeStep),
    })
    .from(sql`(select) as once`),
)

const walletAttestations = read({ wallet: attestations.wallet }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(eq(attestations.wallet, $.wallet))
    .orderBy(
      sql`${attestations.verificationLevel} in ('third_party_verified', 'on_chain_proven') desc`,
      desc(attestations.id),
    )
    .limit(MAX_ATTESTATIONS),
)

/**
 * Reads all that a wallet's standing is computed from, in one round trip.
 * @param feeStep in lamports
 */
export async function selectStanding(
  db: Db,
  wallet: Wallet,
  feeStep: bigint,
): Promise<{ facts: Omit<Facts, 'attestations'>; attestations: AttestationRow[] }> {
  const [[row], rows] = await batch(db, [
    walletFacts.item({ wallet, feeStep }),
    walletAttestations.item({ wallet }),
  ])
  if (!row) throw new Error('a select without a table returned no row')
  const { payersWeight, satisfiedWeight, paidWeight, layersWeight, ...free } = row
  const paid = {
    payers: { weight: weightOf(payersWeight), satisfied: weightOf(satisfiedWeight) },
    payees: weightOf(paidWeight),
    layers: weightOf(layersWeight),
  }
  return { facts: { ...free, paid }, attestations: rows }
}

const attestationInsert = statement(
  {
    id: attestations.id,
    wallet: attestations.wallet,
    credentialType: attestations.credentialType,
    credentialId: attestations.credentialId,
    issuingAuthority: attestations.issuingAuthority,
    issuedDate: attestations.issuedDate,
    expiryDate: attestations.expiryDate,
    documentUrl: attestations.documentUrl,
    verificationLevel: attestations.verificationLevel,
    createdAt: attestations.createdAt,
    expiresAt: attestations.expiresAt,
  },
  (db, $) => {
    const stored = db.$with('stored').as(
      db
        .insert(attestations)
        .values($)
        // An update that changes nothing, so that the row is returned when it was there, too.
        .onConflictDoUpdate({
          target: [attestations.wallet, attestations.credentialType, attestations.credentialId],
          set: { wallet: sql`${attestations.wallet}` },
        })
        .returning(),
    )
    const isNew = eq(stored.id, $.id)
    const charged = countAttestation(db, { attestation: stored, now: $.createdAt, isNew })
    return db.with(stored, charged).select(columnsOf(stored)).from(stored)
  },
)

/** An attestation as its wallet makes it. */
type NewAttestation = Parameters<typeof attestationInsert.run>[1]

/**
 * Stores an attestation, or finds the one that the wallet has of this credential, by a unique constraint.
 * @returns the stored row, which the caller compares with the request
 * @throws NeonDbError of the check ATTESTATIONS_CHECK when the wallet has recorded as many today as it may
 */
export async function insertAttestation(db: Db, attestation: NewAttestation): Promise<AttestationRow> {
  const [row] = await attestationInsert.run(db, attestation)
  if (!row) throw new Error('an upsert returned no row')
  return row
}

/** Selects an attestation by its id: a statement, to be read after a function has changed the row. */
export const attestationById = read({ id: attestations.id }, (db, $) =>
  db.select().from(attestations).where(eq(attestations.id, $.id)),
)

export async function findAttestation(db: Db, id: string): Promise<AttestationRow | undefined> {
  const [row] = await attestationById.run(db, { id })
  return row
}
