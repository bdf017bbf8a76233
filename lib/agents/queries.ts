import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { putInLine, recordEvents } from '../outbox/queries.ts'
import { agentRegistered } from './event-queries.ts'

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

const agentById = statement({ id: agents.id }, (db, $) => db.select().from(agents).where(eq(agents.id, $.id)))

export async function findAgent(db: Db, id: string): Promise<AgentRow | undefined> {
  const [row] = await agentById.run(db, { id })
  return row
}

/** Whether the wallet owns the agent of this id (a null id: no), as a column of another group's select. */
export const isOwnedBy = (agentId: SQLWrapper, wallet: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${agentId} and ${agents.pubkey} = ${wallet})`

/**
 * How many distinct layers of a range a wallet's active agents serve, as a column of another group's select.
 * How many agents a wallet can have active is limited, so this is no sum over history.
 */
export const layersServedBy = (wallet: SQLWrapper, layers: { first: number; last: number }): SQL<number> =>
  sql`(
    select count(distinct layer) from ${agents}, unnest(${agents.supportedLayers}) as layer
    where ${agents.pubkey} = ${wallet} and ${agents.status} = 'active'
      and layer between ${layers.first} and ${layers.last})`.mapWith(Number) as SQL<number>
