import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { API_SCHEMA } from '../../../schema/release.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { hirePeriods, hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'

/**
 * Computes the state of a hire at `now`, as SQL over a `hires` row. The row stores only the last
 * recorded state. Once its term has ended, `hire_now` of schema/functions computes the state.
 * @param now a timestamptz
 */
export function hireTerm(now: SQLWrapper) {
  const isDue = sql`(${hires.status} = 'active' and ${hires.expiresAt} <= ${now})`
  const present = (column: PgColumn) => sql`(
    select ${sql.identifier(column.name)} from ${sql.identifier(API_SCHEMA)}.hire_now(${hires.id}, ${now}))`
  const read = (column: PgColumn) => sql`case when ${isDue} then ${present(column)} else ${column} end`
  return {
    /** Whether the hire has expired, recorded or not. */
    isLapsed: sql`(${isDue} and ${present(hires.status)} = 'expired')`,
    status: read(hires.status) as SQL<HireStatus>,
    expiresAt: read(hires.expiresAt).mapWith(hires.expiresAt) as SQL<Date>,
    endedAt: read(hires.endedAt).mapWith(hires.endedAt) as SQL<Date | null>,
  }
}

/*
 * SQL fragments for periods of hires and the spent part of their budgets. A period is a term. It has no row
 * before its first charge, so it is computed from the hire.
 */

/** Computes the start of a hire's period. @param expiresAt of its present state, computed by hireTerm */
export const periodStart = (expiresAt: SQLWrapper) =>
  sql`${sql.identifier(API_SCHEMA)}.period_start(${expiresAt}, ${hires.termDays})`.mapWith(
    hires.expiresAt,
  ) as SQL<Date>

/** Selects the lamports spent in a hire's period. @param expiresAt of its present state */
export const spentOf = (expiresAt: SQLWrapper): SQL<bigint> =>
  sql`coalesce((
    select ${hirePeriods.spent} from ${hirePeriods}
    where ${hirePeriods.hireId} = ${hires.id} and ${hirePeriods.startsAt} = ${periodStart(expiresAt)}), 0)`.mapWith(
    hirePeriods.spent,
  ) as SQL<bigint>

/* SQL fragments with both sides of a hire, for payments. */

/**
 * Makes a subquery of hires: both sides, whether the agent is suspended, and when the hire ended.
 * @param of the id of one hire, for a lateral join that looks each hire up by its id
 */
export const hireParties = (db: Builder, now: SQLWrapper, of?: SQLWrapper) =>
  db
    .select({
      id: hires.id,
      hirer: sql<string>`${hires.wallet}`.as('hired_by'),
      owner: sql<string>`${agents.pubkey}`.as('hired_from'),
      agentId: hires.agentId,
      budgetNumber: hires.budgetNumber,
      isSuspended: sql<boolean>`(${agents.status} = 'suspended')`.as('is_suspended'),
      endedAt: hireTerm(now).endedAt.as('hired_until'),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    // "offset 0" stops the planner from flattening this into a join that reads all agents.
    .where(of && sql`${hires.id} = ${of} offset 0`)
    .as('hired')
