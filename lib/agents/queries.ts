import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { SellingNeed } from '../../schema/values.ts'
import { rowJson } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import {
  type AgentEndpointState,
  agentEndpointState,
  agentEndpoints,
  isAgentEndpointOf,
  ownCardOf,
} from '../liveness/queries.ts'
import { type PublicAgent, publicAgent } from './column-queries.ts'
import { requestNeedsOf } from './parts/part-queries.ts'

/** A public agent with the state of its endpoint. */
export type ReadAgent = PublicAgent & {
  endpoint: AgentEndpointState | null
  /** What it lacks to sell requests; null without prices of requests, and if the read does not ask for it. */
  requestNeeds?: SellingNeed[] | null
}

/**
 * Selects what an agent lacks to sell requests; null without prices of requests.
 * @param fee X402_FEE; null to read nothing
 */
export const requestNeeds = (fee: SQLWrapper) =>
  sql<
    SellingNeed[] | null
  >`case when ${agents.requestPrices} > 0 and ${fee} is not null then ${requestNeedsOf(agents.id, fee)} end`

type Columns = typeof agents.$inferInsert

/** Encodes columns of an agent for Postgres functions, without undefined ones. */
export const agentJson = (values: { [Column in keyof Columns]?: Columns[Column] | undefined }) =>
  rowJson(agents, values)

/** Reads an agent's row for its owner, after a write in the same transaction. */
export const agentAsStored = read({ id: agents.id }, (db, $) =>
  db.select().from(agents).where(eq(agents.id, $.id)),
)

const agentById = read({ id: agents.id }, (db, $) =>
  db
    .select({ ...publicAgent, endpoint: agentEndpointState })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .where(eq(agents.id, $.id)),
)

export async function findAgent(db: Db, id: string): Promise<ReadAgent | undefined> {
  const [row] = await agentById.run(db, { id })
  return row
}

const agentWithCard = read({ id: agents.id }, (db, $) =>
  db
    .select({ ...publicAgent, ownCard: ownCardOf(agents).as('own_card') })
    .from(agents)
    .where(eq(agents.id, $.id)),
)

/** Finds an agent, with the text of the agent card that its own host serves, if any. */
export async function findAgentWithCard(
  db: Db,
  id: string,
): Promise<(PublicAgent & { ownCard: string | null }) | undefined> {
  const [row] = await agentWithCard.run(db, { id })
  return row
}
