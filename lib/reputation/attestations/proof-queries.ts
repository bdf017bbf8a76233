import { asc, getTableColumns, sql } from 'drizzle-orm'
import { attestations } from '../../../schema/tables/attestations.ts'
import { name, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { AttestationRow } from '../queries.ts'

/** The text is the partial index's: a parameter could not be proven to match it. */
const isProven = sql`${attestations.verificationLevel} = 'on_chain_proven'`

const provenAttestations = read({ limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(isProven)
    .orderBy(asc(attestations.proofSeenAt), asc(attestations.id))
    .limit($.limit),
)

/** Selects attestations that an account on the chain proves, longest unseen first. */
export const selectProven = (db: Db, limit: number): Promise<AttestationRow[]> =>
  provenAttestations.run(db, { limit })

const seenColumns = (({ id, expiresAt }) => ({ id, expiresAt }))(getTableColumns(attestations))

const proofsSeen = statement({ seen: 'json', slot: 'bigint', now: 'timestamptz' }, (_db, $) => {
  const { id, expiresAt, proofSeenAt, proofSlot } = attestations
  return sql`
    update ${attestations} set ${name(proofSeenAt)} = ${$.now},
      ${name(proofSlot)} = greatest(${proofSlot}, ${$.slot}), ${name(expiresAt)} = record.${name(expiresAt)}
    from ${recordset($.seen, seenColumns)}
    where ${id} = record.${name(id)} and ${isProven}`
})

/**
 * Notes that proofs were seen at a slot, and until when each attestation counts: an account may have become
 * another since, with another expiry.
 */
export async function recordSeen(
  db: Db,
  seen: { id: string; expiresAt: Date | null }[],
  at: { slot: bigint; now: Date },
): Promise<void> {
  if (seen.length === 0) return
  const rows = seen.map(({ id, expiresAt }) => ({ id, [seenColumns.expiresAt.name]: expiresAt }))
  await proofsSeen.run(db, { seen: rows, ...at })
}
