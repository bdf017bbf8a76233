import { asc, getTableColumns, sql } from 'drizzle-orm'
import { attestations } from '../../../schema/tables/attestations.ts'
import { name, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { AttestationRow } from '../queries.ts'

/**
 * Repeats the condition of the partial index attestations_proven, with the level as a literal. `eq()` would
 * send the level as a parameter, which the planner can't match with the index.
 */
const isProven = sql`${attestations.verificationLevel} = 'on_chain_proven'`

const provenAttestations = read({ limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(attestations)
    .where(isProven)
    .orderBy(asc(attestations.proofCheckedAt), asc(attestations.id))
    .limit($.limit),
)

/** Selects attestations proven on chain, those checked longest ago first. */
export const selectProven = (db: Db, limit: number): Promise<AttestationRow[]> =>
  provenAttestations.run(db, { limit })

const checkedColumns = (({ id, expiresAt }) => ({ id, expiresAt }))(getTableColumns(attestations))

const proofsChecked = statement({ checked: 'json', slot: 'bigint', now: 'timestamptz' }, (_db, $) => {
  const { id, expiresAt, proofCheckedAt, proofSlot } = attestations
  // Without greatest(), a check could lower the slot that a concurrent check of a later slot recorded.
  return sql`
    update ${attestations} set ${name(proofCheckedAt)} = ${$.now},
      ${name(proofSlot)} = greatest(${proofSlot}, ${$.slot}), ${name(expiresAt)} = record.${name(expiresAt)}
    from ${recordset($.checked, checkedColumns)}
    where ${id} = record.${name(id)} and ${isProven}`
})

/**
 * Records a check of proofs: its time, its slot, and the expiry of each attestation. The expiry can change,
 * because an account may have been replaced by one with another expiry.
 * @param checked proofs that are still on the chain, and proofs whose revocation failed
 */
export async function recordChecked(
  db: Db,
  checked: { id: string; expiresAt: Date | null }[],
  at: { slot: bigint; now: Date },
): Promise<void> {
  if (checked.length === 0) return
  const rows = checked.map(({ id, expiresAt }) => ({ id, [checkedColumns.expiresAt.name]: expiresAt }))
  await proofsChecked.run(db, { checked: rows, ...at })
}
