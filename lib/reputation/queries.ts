import { and, desc, eq, sql } from 'drizzle-orm'
import { attestations } from '../../schema/tables/attestations.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { layersServedBy } from '../agents/parts/part-queries.ts'
import { firstLoginOf } from '../auth/queries.ts'
import { batch } from '../db/batch.ts'
import { rowJson } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { layersWeightOf, totalsOf } from './counterparties/queries.ts'
import { weightOf } from './counterparties/rules.ts'
import { type Facts, INFRASTRUCTURE_LAYERS } from './rules.ts'

export type AttestationRow = typeof attestations.$inferSelect

/** The most attestations of a wallet that are shown and counted, strongest and newest first. */
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
 * Reads all facts for a wallet's reputation, in one round trip.
 * @param feeStep in lamports
 */
export async function selectReputationFacts(
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

/** Encodes columns of an attestation for Postgres functions. */
export const attestationJson = (values: Partial<typeof attestations.$inferInsert>) =>
  rowJson(attestations, values)

/** Selects a wallet's attestation of a credential, which a unique constraint identifies. */
export const attestationOf = read(
  {
    wallet: attestations.wallet,
    credentialType: attestations.credentialType,
    credentialId: attestations.credentialId,
  },
  (db, $) =>
    db
      .select()
      .from(attestations)
      .where(
        and(
          eq(attestations.wallet, $.wallet),
          eq(attestations.credentialType, $.credentialType),
          eq(attestations.credentialId, $.credentialId),
        ),
      ),
)

/** Selects an attestation by its id. Also used after a function has changed the row. */
export const attestationById = read({ id: attestations.id }, (db, $) =>
  db.select().from(attestations).where(eq(attestations.id, $.id)),
)

export async function findAttestation(db: Db, id: string): Promise<AttestationRow | undefined> {
  const [row] = await attestationById.run(db, { id })
  return row
}
