import {
  and,
  arrayContains,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { AgentStatus, AgentType, FeeModel } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hasEvents, outbox, putInLine, recordEvents } from '../outbox/queries.ts'
import type { Place } from './cursor.ts'
import { dueEvents, lockDue, recordDue } from './due-queries.ts'
import { agentRegistered, agentStatusChanged } from './event-queries.ts'
import { withOutcomes } from './outcome-queries.ts'

export type AgentRow = typeof agents.$inferSelect

const agentInsert = statement(
  {
    id: agents.id,
    pubkey: agents.pubkey,
    name: agents.name,
    agentType: agents.agentType,
    supportedLayers: agents.supportedLayers,
    feeModel: agents.feeModel,
    feeAmount: agents.feeAmount,
    apiEndpoint: agents.apiEndpoint,
    webhookUrl: agents.webhookUrl,
    webhookSetAt: agents.webhookSetAt,
    logoUrl: agents.logoUrl,
    status: agents.status,
    registeredAt: agents.registeredAt,
  },
  (db, $) => {
    const created = db.$with('created').as(db.insert(agents).values($).returning())
    const event = recordEvents(db, $.registeredAt, [agentRegistered(db, created)])
    const delivery = putInLine(db, $.registeredAt, event, created)
    return db.with(created, event, delivery).select(columnsOf(created)).from(created)
  },
)

/** Stores a new agent, and the event that says so. */
export async function insertAgent(db: Db, agent: typeof agents.$inferInsert): Promise<AgentRow> {
  const [row] = await agentInsert.run(db, agent)
  if (!row) throw new Error('an insert without a conflict clause returned no row')
  return row
}

export async function findAgent(db: Db, id: string): Promise<AgentRow | undefined> {
  const [row] = await db.select().from(agents).where(eq(agents.id, id))
  return row
}

/** What GET /agents can ask for. */
export type AgentFilter = {
  status: AgentStatus | 'all'
  layer?: number | undefined
  agentType?: AgentType | undefined
  feeModel?: FeeModel | undefined
  /** The beginning of the name, in any case. */
  q?: string | undefined
  minReputation?: number | undefined
}

/** Up to `limit` agents after a place, by reputationScore desc, then id desc. */
export const selectAgents = (db: Db, filter: AgentFilter, after: Place | undefined, limit: number) =>
  db
    .select()
    .from(agents)
    .where(
      and(
        filter.status === 'all' ? undefined : eq(agents.status, filter.status),
        filter.layer === undefined ? undefined : arrayContains(agents.supportedLayers, [filter.layer]),
        filter.agentType === undefined ? undefined : eq(agents.agentType, filter.agentType),
        filter.feeModel === undefined ? undefined : eq(agents.feeModel, filter.feeModel),
        filter.q === undefined ? undefined : nameBegins(filter.q),
        filter.minReputation === undefined ? undefined : gte(agents.reputationScore, filter.minReputation),
        after === undefined
          ? undefined
          : sql`(${agents.reputationScore}, ${agents.id}) < (${after.reputationScore}::double precision, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(agents.reputationScore), desc(agents.id))
    .limit(limit)

const nameBegins = (prefix: string): SQL =>
  sql`lower(${agents.name}) like lower(${`${prefix.replace(/[\\%_]/g, '\\$&')}%`})`

/** Whether the wallet owns the agent of this id (a null id: no), as a column of another group's select. */
export const isOwnedBy = (agentId: SQLWrapper, wallet: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${agentId} and ${agents.pubkey} = ${wallet})`

/**
 * What a wallet has done on the marketplace, as columns of another group's select: how the hires of its agents by
 * others went, how many distinct wallets it dealt with (those of the query `others` among them), and how many distinct
 * layers of a range its active agents serve.
 */
export function dealingsOf(wallet: SQLWrapper, layers: { first: number; last: number }, others: SQLWrapper) {
  const count = (query: SQL) => sql`(${query})`.mapWith(Number) as SQL<number>
  return {
    completedHires: count(
      sql`select coalesce(sum(${agents.hiresCompleted}), 0) from ${agents} where ${agents.pubkey} = ${wallet}`,
    ),
    countedHires: count(
      sql`select coalesce(sum(${agents.hiresCounted}), 0) from ${agents} where ${agents.pubkey} = ${wallet}`,
    ),
    counterparties: count(sql`
      select count(*) from (
        select ${hires.wallet} from ${hires} join ${agents} on ${agents.id} = ${hires.agentId}
        where ${agents.pubkey} = ${wallet} and ${hires.wallet} <> ${wallet}
        union
        select ${agents.pubkey} from ${hires} join ${agents} on ${agents.id} = ${hires.agentId}
        where ${hires.wallet} = ${wallet} and ${agents.pubkey} <> ${wallet}
        union
        ${others}) as dealt_with`),
    infrastructureLayers: count(sql`
      select count(distinct layer) from ${agents}, unnest(${agents.supportedLayers}) as layer
      where ${agents.pubkey} = ${wallet} and ${agents.status} = 'active'
        and layer between ${layers.first} and ${layers.last}`),
  }
}

/** A change of an agent and who may make it, from which statuses. */
export type AgentChange = {
  id: string
  wallet: Wallet
  isOperator: boolean
  /** Undefined keeps a value, null clears it. */
  urls: { [Url in 'apiEndpoint' | 'webhookUrl' | 'logoUrl']?: string | null | undefined }
  status?: AgentStatus | undefined
  reason?: string | undefined
  ownerFrom: readonly AgentStatus[]
  operatorFrom: readonly AgentStatus[]
  now: Date
}

/**
 * Changes an agent if the wallet may, in one statement that also records what had become due of its hires while
 * the old status was in force: leaving `active`, hires with autoRenew have been renewed until now; entering it,
 * those whose term ran out meanwhile have expired. Without this a later status would rewrite the past.
 * @returns the agent as changed (null when its `current` status forbids the change), or undefined when the agent
 *   is unknown or not the wallet's to change
 */
export async function updateAgent(
  db: Db,
  change: AgentChange,
): Promise<{ current: AgentStatus; changed: AgentRow | null; hasEvents: boolean } | undefined> {
  const { status = null } = change
  const isOwner = eq(agents.pubkey, change.wallet)
  const isAllowed = or(
    and(isOwner, inArray(agents.status, [...change.ownerFrom])),
    inArray(agents.status, [...change.operatorFrom]),
  )
  const agent = db.$with('agent').as(
    db
      .select({
        id: agents.id,
        pubkey: agents.pubkey,
        status: agents.status,
        isAllowed: sql<boolean>`${isAllowed}`.as('is_allowed'),
      })
      .from(agents)
      .where(and(eq(agents.id, change.id), change.isOperator ? undefined : isOwner))
      .for('no key update'),
  )
  const turns = sql`(agent.status = 'active') <> (${status}::text = 'active')`
  const due = lockDue(db, change.now, sql`${hires.autoRenew} and agent.is_allowed and ${turns}`)
  const recorded = recordDue(db, change.now)
  const tally = db.$with('tally', { completed: sql<number>`completed` }).as(sql`
    select count(*) filter (where counts)::integer as completed from due`)
  const changed = db.$with('changed').as(
    db
      .update(agents)
      .set({
        ...change.urls,
        ...(change.urls.webhookUrl === undefined
          ? {}
          : { webhookSetAt: change.now, webhookDisabledAt: null }),
        ...(status === null ? {} : { status, statusReason: change.reason ?? null }),
        ...withOutcomes({ completed: sql`tally.completed`, counted: sql`tally.completed` }),
      })
      .from(agent)
      .innerJoin(tally, sql`true`)
      .where(and(eq(agents.id, agent.id), agent.isAllowed))
      .returning(getTableColumns(agents)),
  )
  const [row] = await db
    .with(
      agent,
      due,
      recorded,
      tally,
      changed,
      ...outbox(db, change.now, sql`changed`, [...dueEvents(), agentStatusChanged(change.now)]),
    )
    .select({ current: agent.status, changed: columnsOf(changed), hasEvents })
    .from(agent)
    .leftJoin(changed, sql`true`)
  return row
}
