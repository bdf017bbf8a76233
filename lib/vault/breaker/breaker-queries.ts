import { and, asc, eq, isNull, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { positions, vaultGenerations } from '../../../schema/tables/vaults.ts'
import type { Builder } from '../../db/builder.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import type { PositionRow } from '../queries.ts'

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
