import { asc, getTableColumns, sql } from 'drizzle-orm'
import { attestations } from '../../../schema/tables/attestations.ts'
import { name, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { AttestationRow } from '../queries.ts'

/** The same text as in the partial index, because the planner can't match a parameter with it. */
const isProven = sql`${attestations.verificationLevel} = 'on_chain_proven'`

const provenAttestations = read({ limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(isProven)
    .orderBy(asc(attestations.proofSeenAt), asc(attestations.id))
    .limit($.limit),
)

/** Selects attestations proven on chain, those checked longest ago first. */
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
 * Records the slot at which proofs were checked, and the new expiry of each attestation, because an account
 * may have been replaced by one with another expiry.
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
