import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { type AttestationRow, attestationJson, attestationOf } from '../../lib/reputation/queries.ts'
import type { attestations } from '../../schema/tables/attestations.ts'

type NewAttestation = Omit<typeof attestations.$inferInsert, 'createdAt'> & { createdAt: Date }

/** Stores an attestation past the API, from an address of its own, or finds what the wallet has of it. */
export async function storeAttestation(
  db: Db,
  { createdAt: now, ...attestation }: NewAttestation,
): Promise<AttestationRow> {
  const counted = { addressHash: crypto.randomUUID(), attestationsPerAddress: 1 }
  const [, [stored]] = await postgres.recordAttestation.callThenRead(
    db,
    { attestation: attestationJson(attestation), ...counted, now },
    attestationOf.item(attestation),
  )
  if (!stored) throw new Error('the attestation is not there')
  return stored
}
