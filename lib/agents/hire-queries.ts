import { and, desc, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { hasEvents, outbox } from '../outbox/queries.ts'
import { dueEvents, lockDue, recordDue } from './due-queries.ts'
import { hireCreated, hireEnded } from './event-queries.ts'
import { hireTerm } from './hire-term.ts'
import { withOutcomes } from './outcome-queries.ts'
import type { AgentRow } from './queries.ts'

export type HireRow = typeof hires.$inferSelect

/** A hire with the agent it is of. */
export type HireOfAgent = { hire: HireRow; agent: AgentRow }

/** The wallet's hires as they are at `now`, newest first. */
export const selectHires = (db: Db, wallet: Wallet, now: Date): Promise<HireOfAgent[]> =>
  db
    .select({ hire: hireAt(now), agent: getTableColumns(agents) })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .where(eq(hires.wallet, wallet))
    .orderBy(desc(hires.id))

/** What a new hire is made of; without `layers` all of the agent's are enabled. */
export type NewHire = {
  id: string
  wallet: Wallet
  agentId: string
  layers?: number[] | undefined
  budgetLimit?: bigint | undefined
  autoRenew: boolean
  termDays: number
  now: Date
  expiresAt: Date
}

/**
 * Hires an agent in one statement. It locks the agent, records what has become of an earlier hire whose term has run
 * out, and inserts under the unique index that allows a wallet one active hire of an agent; so of any number of
 * parallel calls one inserts.
 * @returns undefined when the agent is unknown; otherwise the agent as it was offered, the hire unless it was refused,
 *   with the agent as it then is, and whether there is anything to tell, as there may be of an earlier hire all the same
 */
export async function insertHire(
  db: Db,
  hire: NewHire,
): Promise<
  { offered: AgentRow; hire: HireRow | null; agent: AgentRow | null; hasEvents: boolean } | undefined
> {
  const layers =
    hire.layers === undefined
      ? sql`agent.supported_layers`
      : sql`${sql.param(hire.layers, hires.layersEnabled)}::smallint[]`
  const agent = db
    .$with('agent')
    .as(db.select().from(agents).where(eq(agents.id, hire.agentId)).for('no key update'))
  const due = lockDue(
    db,
    hire.now,
    sql`${hires.agentId} = ${hire.agentId} and ${hires.wallet} = ${hire.wallet}`,
  )
  const recorded = recordDue(db, hire.now)
  // Counting the recorded rows makes Postgres record them before the insert meets the unique index.
  const created = db.$with('created', getTableColumns(hires)).as(sql`
    insert into ${hires}
      (id, wallet, agent_id, layers_enabled, budget_limit, auto_renew, term_days, status, hired_at, expires_at)
    select ${hire.id}::uuid, ${hire.wallet}, agent.id, ${layers}, ${hire.budgetLimit?.toString() ?? null}::bigint,
      ${hire.autoRenew}::boolean, ${hire.termDays}::smallint, 'active', ${hire.now.toISOString()}::timestamptz,
      ${hire.expiresAt.toISOString()}::timestamptz
    from agent
    where agent.status = 'active' and ${layers} <@ agent.supported_layers
      and (select count(*) from recorded) >= 0
    on conflict (wallet, agent_id) where status = 'active' do nothing
    returning *`)
  const tally = db.$with('tally', { completed: sql<number>`completed`, hires: sql<number>`hires` }).as(sql`
    select count(*) filter (where counts)::integer as completed, (select count(*) from created)::integer as hires
    from due`)
  const counted = db.$with('counted').as(
    db
      .update(agents)
      .set({
        totalHires: sql`${agents.totalHires} + tally.hires`,
        ...withOutcomes({ completed: sql`tally.completed`, counted: sql`tally.completed` }),
      })
      .from(agent)
      .innerJoin(tally, sql`tally.completed + tally.hires > 0`)
      .where(eq(agents.id, agent.id))
      .returning(getTableColumns(agents)),
  )
  const [row] = await db
    .with(
      agent,
      due,
      recorded,
      created,
      tally,
      counted,
      ...outbox(db, hire.now, sql`agent`, [...dueEvents(), hireCreated()]),
    )
    .select({
      offered: columnsOf(agent),
      hire: columnsOf(created),
      agent: columnsOf(counted),
      hasEvents,
    })
    .from(agent)
    .leftJoin(created, sql`true`)
    .leftJoin(counted, sql`true`)
  return row
}

/**
 * Ends the wallet's hire at `now`, in one statement, with what that means for the agent's score. A hire that had
 * already ended stays as it is; one whose term had run out unrecorded is recorded as expired instead.
 * @returns the hire as it then is, and whether there is anything to tell; undefined when the wallet has none of that id
 */
export async function endHire(
  db: Db,
  hire: { id: string; wallet: Wallet; now: Date },
): Promise<(HireOfAgent & { hasEvents: boolean }) | undefined> {
  const isWanted = and(eq(hires.id, hire.id), eq(hires.wallet, hire.wallet))
  const itsAgent = db.select({ id: hires.agentId }).from(hires).where(isWanted)
  const agent = db
    .$with('agent')
    .as(db.select().from(agents).where(inArray(agents.id, itsAgent)).for('no key update'))
  const target = db
    .$with('target')
    .as(
      db
        .select(getTableColumns(hires))
        .from(hires)
        .innerJoin(agent, eq(agent.id, hires.agentId))
        .where(isWanted)
        .for('update', { of: hires }),
    )
  const term = hireTerm(hire.now, agent.status)
  const ended = db.$with('ended', getTableColumns(hires)).as(sql`
    update ${hires} set
      status = case when ${term.isLapsed} then 'expired' else 'terminated' end,
      ended_at = case when ${term.isLapsed} then ${hires.expiresAt} else ${hire.now.toISOString()}::timestamptz end,
      expires_at = ${term.expiresAt},
      outcome = coalesce(${hires.outcome}, case when ${term.isDue} then 'completed' else 'cut_short' end)
    from target, agent
    where ${hires.id} = target.id and target.status = 'active'
    returning hires.*`)
  const counted = db.$with('counted').as(
    db
      .update(agents)
      .set(withOutcomes({ completed: sql`(${ended.outcome} = 'completed')::integer`, counted: sql`1` }))
      .from(target)
      .innerJoin(ended, eq(ended.id, target.id))
      .where(and(eq(agents.id, target.agentId), isNull(target.outcome), ne(target.wallet, agents.pubkey)))
      .returning(getTableColumns(agents)),
  )
  const [row] = await db
    .with(agent, target, ended, counted, ...outbox(db, hire.now, sql`agent`, hireEnded()))
    .select({
      before: columnsOf(target),
      ended: columnsOf(ended),
      agent: columnsOf(agent),
      counted: columnsOf(counted),
      hasEvents,
    })
    .from(target)
    .innerJoin(agent, sql`true`)
    .leftJoin(ended, sql`true`)
    .leftJoin(counted, sql`true`)
  if (!row) return undefined
  return { hire: row.ended ?? row.before, agent: row.counted ?? row.agent, hasEvents: row.hasEvents }
}

const hireAt = (now: Date) => {
  const { status, expiresAt, endedAt } = hireTerm(now)
  return { ...getTableColumns(hires), status, expiresAt, endedAt }
}
