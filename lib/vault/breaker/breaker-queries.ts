import { and, asc, eq, isNull, lte, or, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { Address } from '../../../schema/address.ts'
import type { Cred } from '../../../schema/amounts.ts'
import { positions, vaultGenerations } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { PositionRow } from '../queries.ts'
import { vaultLocked } from '../transactions/intent-queries.ts'

/* The circuit breaker's statements. The operator's are in switch-queries.ts. */

const BREAKER_REASON = 'a position was paid out of before its lock ended'

/**
 * The insert that stops new stacks of a generation. What was stopped before keeps its reason. One whose
 * recovery key was published on purpose is left as it is: that is a stop of its own.
 * @param from a CTE with the generation in at most one row for which `when` holds
 */
export const breakerTripped = (
  db: Builder,
  from: WithSubquery,
  { generation, now, when }: { generation: SQLWrapper; now: SQLWrapper; when: SQL },
) =>
  db
    .insert(vaultGenerations)
    .select(
      db
        .select(
          rowFields(vaultGenerations, {
            generation,
            authority: sql`null`,
            recovery: sql`null`,
            pausedAt: now,
            pauseReason: sql`${BREAKER_REASON}::text`,
            publishedAt: sql`null`,
          }),
        )
        .from(from)
        .where(when),
    )
    .onConflictDoUpdate({
      target: vaultGenerations.generation,
      set: {
        pausedAt: sql`coalesce(${vaultGenerations.pausedAt}, excluded.paused_at)`,
        pauseReason: sql`coalesce(${vaultGenerations.pauseReason}, excluded.pause_reason)`,
      },
      setWhere: isNull(vaultGenerations.publishedAt),
    })

const suspected = read({ generations: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.early, 'seen'), sql`${positions.generation} = any(${$.generations})`))
    .orderBy(asc(positions.suspectedSlot))
    .limit($.limit),
)

/** Positions that were seen to be paid out of early, which a finalized read is to confirm, oldest first. */
export const selectSuspected = (db: Db, generations: number[], limit: number): Promise<PositionRow[]> =>
  suspected.run(db, { generations, limit })

const suspicionSettled = statement(
  {
    address: positions.address,
    isConfirmed: 'boolean',
    balance: positions.escrowed,
    slot: positions.seenSlot,
    now: 'timestamptz',
  },
  (db, $) => {
    // A read that refutes what was seen shows the position as it was at that slot: open, whatever was
    // recorded then. It refutes nothing that was recorded of a later slot.
    const refuted = (column: SQLWrapper, value: SQL) =>
      sql`case when ${$.isConfirmed} then ${column} else ${value} end`
    const settled = db.$with('settled').as(
      db
        .update(positions)
        .set({
          early: sql`case when ${$.isConfirmed} then 'confirmed' end`,
          suspectedSlot: null,
          status: refuted(positions.status, sql`'open'`),
          withdrawnAt: refuted(positions.withdrawnAt, sql`null`),
          escrowed: refuted(positions.escrowed, sql`${$.balance}`),
          seenSlot: refuted(positions.seenSlot, sql`${$.slot}`),
        })
        .where(
          and(
            eq(positions.address, $.address),
            eq(positions.early, 'seen'),
            or(sql`${$.isConfirmed}`, lte(positions.seenSlot, $.slot)),
          ),
        )
        .returning({ generation: positions.generation }),
    )
    const { generation } = settled
    const tripped = db.$with('tripped').as(
      breakerTripped(db, settled, { generation, now: $.now, when: sql`${$.isConfirmed}` }).returning({
        generation: vaultGenerations.generation,
      }),
    )
    return db.with(settled, tripped).select({ generation: settled.generation }).from(settled)
  },
)

/**
 * Settles what was suspected of a position by a finalized read. Confirmed, it stops new stacks of its
 * generation; refuted, the position is open as it was read.
 * @returns whether it was settled; not, where a later slot than the read one is recorded of the position
 */
export async function settleSuspicion(
  db: Db,
  owner: Wallet,
  suspicion: { address: Address; isConfirmed: boolean; balance: Cred; slot: bigint; now: Date },
): Promise<boolean> {
  // The owner's row first, as settlements lock it: a trigger counts there a position that is open again.
  const [, settled] = await batch(db, [vaultLocked.item({ owner }), suspicionSettled.item(suspicion)])
  return settled.length > 0
}
