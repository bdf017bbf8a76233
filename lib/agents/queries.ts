import { eq, getTableColumns, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { columnsOf, names } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../events/outbox/queries.ts'
import { type EndpointState, endpointState, endpoints, isEndpointOf, ownCardOf } from '../liveness/queries.ts'
import { takePlace } from '../quotas/queries.ts'
import { noPlaceForAgent } from '../quotas/refusals.ts'
import { agentRegistered } from './event-queries.ts'

export type AgentRow = typeof agents.$inferSelect

/** An agent as lists and reads of one have it: with what is known of its endpoint. */
export type ReadAgent = AgentRow & { endpoint: EndpointState | null }

/** What a registration says. */
const registered = {
  id: agents.id,
  pubkey: agents.pubkey,
  name: agents.name,
  description: agents.description,
  agentType: agents.agentType,
  supportedLayers: agents.supportedLayers,
  feeModel: agents.feeModel,
  feeAmount: agents.feeAmount,
  apiEndpoint: agents.apiEndpoint,
  apiProtocol: agents.apiProtocol,
  webhookUrl: agents.webhookUrl,
  webhookSetAt: agents.webhookSetAt,
  logoUrl: agents.logoUrl,
  status: agents.status,
  registeredAt: agents.registeredAt,
}

const agentInsert = statement(registered, (db, $) => {
  const place = takePlace(db, $.pubkey)
  const columns = Object.values(registered)
  const values = Object.keys(registered).map((key) => sql`${$[key as keyof typeof registered]}`)
  const created = db.$with('created', getTableColumns(agents)).as(sql`
    insert into ${agents} (${names(...columns)})
    select ${sql.join(values, sql`, `)} from ${place}
    returning ${agents}.*`)
  const event = recordEvents(db, $.registeredAt, [agentRegistered(db, created)])
  const delivery = putInLine(db, $.registeredAt, event, created)
  return db
    .with(place, created, event, delivery)
    .select({ agent: columnsOf(created), due: endpointsDue(delivery) })
    .from(created)
})

/**
 * Stores a new agent, which takes one of its wallet's places, and the event that says so.
 * @returns the agent, and the endpoints that the event is due to
 * @throws Refusal quota_exceeded when the wallet has no place
 */
export async function insertAgent(
  db: Db,
  agent: Parameters<typeof agentInsert.run>[1],
): Promise<AgentRow & { due: string[] }> {
  const [row] = await agentInsert.run(db, agent)
  if (!row) throw noPlaceForAgent()
  return { ...row.agent, due: row.due }
}

const agentById = read({ id: agents.id }, (db, $) =>
  db
    .select({ ...getTableColumns(agents), endpoint: endpointState })
    .from(agents)
    .leftJoin(endpoints, isEndpointOf(agents))
    .where(eq(agents.id, $.id)),
)

export async function findAgent(db: Db, id: string): Promise<ReadAgent | undefined> {
  const [row] = await agentById.run(db, { id })
  return row
}

const agentWithCard = read({ id: agents.id }, (db, $) =>
  db
    .select({ ...getTableColumns(agents), ownCard: ownCardOf(agents).as('own_card') })
    .from(agents)
    .where(eq(agents.id, $.id)),
)

/** Finds an agent with the text of its host's own agent card, if that serves one. */
export async function findAgentWithCard(
  db: Db,
  id: string,
): Promise<(AgentRow & { ownCard: string | null }) | undefined> {
  const [row] = await agentWithCard.run(db, { id })
  return row
}
