import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { Db } from '../db/connect.ts'
import { outbox } from '../outbox/queries.ts'
import { hiresExpired, hiresRenewed } from './event-queries.ts'
import { hireTerm } from './hire-term.ts'
import { withOutcomes } from './outcome-queries.ts'

/*
 * Recording what has become of due hires: on its own for the jobs Worker, and as parts of other statements.
 *
 * Every statement that ends or renews hires first locks the agent (a CTE named `agent` with at least id, pubkey, status
 * and webhook_url) and then hires of it, so no two can deadlock; and it updates the agent once, for Postgres drops a
 * second update of one row in one statement. A hire counts for its agent once: `outcome is null` is read from the
 * locked row, which nobody else can change before this statement commits.
 */

/**
 * Locks the due hires of the locked agents, and says of each whether it `renews` (else it has expired) and whether its
 * outcome `counts` for the agent: it is its first, and the hire is not the owner's own.
 * @param which further conditions on the hire and its agent
 */
export const lockDue = (db: Db, now: Date, which: SQL) =>
  db.$with('due', { id: hires.id }).as(sql`
    select ${hires.id}, ${hires.agentId}, ${hires.expiresAt}, (${hires.autoRenew} and agent.status = 'active') as renews,
      (${hires.outcome} is null and ${hires.wallet} <> agent.pubkey) as counts
    from ${hires} join agent on agent.id = ${hires.agentId}
    where ${hireTerm(now).isDue} and ${which} for update of hires`)

/**
 * Records what has become of the locked due hires: renewed by whole terms until after `now`, or expired. A statement
 * with this reports it by {@link dueEvents}.
 */
export const recordDue = (db: Db, now: Date) =>
  db.$with('recorded', { id: hires.id }).as(sql`
    update ${hires} set
      status = case when due.renews then 'active' else 'expired' end,
      expires_at = case when due.renews then ${hireTerm(now).renewedUntil} else ${hires.expiresAt} end,
      ended_at = case when due.renews then null else ${hires.expiresAt} end,
      outcome = coalesce(${hires.outcome}, 'completed')
    from due where ${hires.id} = due.id
    returning ${hires}.*, due.renews, due.expires_at as due_at`)

/** What has become of due hires, for the outbox. */
export const dueEvents = (): [SQL, SQL] => [hiresRenewed(), hiresExpired()]

/**
 * Records up to `limit` hires whose term has run out, whoever's they are, as expired or renewed, with what that means
 * for the agents' scores and the events that say so: one statement. Safe to run twice at once: it waits for nobody, and
 * leaves the hires of an agent that another statement is at work on to the next run.
 */
export async function recordDueHires(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ expired: number; renewed: number }> {
  const candidate = db
    .$with('candidate')
    .as(
      db
        .select({ id: hires.id, agentId: hires.agentId })
        .from(hires)
        .where(hireTerm(now).isDue)
        .orderBy(hires.expiresAt)
        .limit(limit),
    )
  const agent = db.$with('agent').as(
    db
      .select({
        id: agents.id,
        pubkey: agents.pubkey,
        status: agents.status,
        webhookUrl: agents.webhookUrl,
      })
      .from(agents)
      .where(inArray(agents.id, db.select({ id: candidate.agentId }).from(candidate)))
      .for('no key update', { skipLocked: true }),
  )
  // An array, so that Postgres looks these up by id whatever its statistics say of how many hires are due.
  const due = lockDue(db, now, sql`${hires.id} = any (array(select id from candidate))`)
  const recorded = recordDue(db, now)
  const tally = db.$with('tally', { agentId: hires.agentId }).as(sql`
    select agent_id, count(*)::integer as completed from due where counts group by agent_id`)
  const counted = db.$with('counted').as(
    db
      .update(agents)
      .set(withOutcomes({ completed: sql`tally.completed`, counted: sql`tally.completed` }))
      .from(tally)
      .where(eq(agents.id, tally.agentId))
      .returning({ id: agents.id }),
  )
  const [row] = await db
    .with(candidate, agent, due, recorded, tally, counted, ...outbox(db, now, sql`agent`, dueEvents()))
    .select({
      expired: sql`count(*) filter (where not renews)`.mapWith(Number),
      renewed: sql`count(*) filter (where renews)`.mapWith(Number),
    })
    .from(recorded)
  if (!row) throw new Error('an aggregate without groups returned no row')
  return row
}
