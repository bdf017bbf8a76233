import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { attestations } from '../../../schema/tables/attestations.ts'
import { name, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { attestationDecided } from '../event-queries.ts'
import type { AttestationRow } from '../queries.ts'

/** The text is that of the partial index: a parameter could not be proven to match it. */
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

const proofFall = statement(
  {
    id: attestations.id,
    slot: attestations.proofSlot,
    level: attestations.verificationLevel,
    expiresAt: attestations.expiresAt,
    reason: 'text',
    now: 'timestamptz',
  },
  (db, $) => {
    const fallen = db.$with('fallen').as(
      db
        .update(attestations)
        .set({
          status: 'rejected',
          verificationLevel: $.level,
          expiresAt: $.expiresAt,
          decidedAt: $.now,
          reason: $.reason,
        })
        .where(
          and(
            eq(attestations.id, $.id),
            isProven,
            // As read: it may have fallen and been proven again since.
            sql`${attestations.proofSlot} is not distinct from ${$.slot}`,
          ),
        )
        .returning(),
    )
    const event = recordEvents(db, $.now, [attestationDecided(db, fallen, 'revoked')])
    const delivery = putInLine(db, $.now, event)
    return db
      .with(fallen, event, delivery)
      .select({ due: endpointsDue(delivery) })
      .from(fallen)
  },
)

/**
 * Takes a proof back, once, if it still is the one that was read at `slot`: the attestation is rejected at
 * the level and with the expiry that it had before, and its wallet's log says so.
 * @returns the endpoints that the event is due to; undefined if it is another proof by now
 */
export async function revokeProof(
  db: Db,
  proof: {
    id: string
    slot: bigint | null
    level: AttestationRow['verificationLevel']
    expiresAt: Date | null
    reason: string
    now: Date
  },
): Promise<string[] | undefined> {
  const [fallen] = await proofFall.run(db, proof)
  return fallen?.due
}
