import { eq, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { jobTerms } from '../../schema/tables/job-terms.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf } from '../liveness/queries.ts'
import { type PublicAgent, publicAgent } from './column-queries.ts'
import { type ReadAgent, requestNeeds } from './queries.ts'

/** An agent as `GET /agents/{id}` returns it. */
export type FoundAgent = ReadAgent & {
  /** Whether its owner has set up payouts. */
  canBePaid: boolean
  /** The terms under which it is sent jobs; null if it takes none. */
  jobTerms: Pick<typeof jobTerms.$inferSelect, keyof typeof terms> | null
}

const terms = {
  minPrice: jobTerms.minPrice,
  workMinutes: jobTerms.workMinutes,
  judges: jobTerms.judges,
}

// Calls a Postgres function, because this Worker's login has no right to read payments.
const agentWithPayouts = read({ id: agents.id, fee: 'bigint' }, (db, $) =>
  db
    .select({
      ...publicAgent,
      endpoint: agentEndpointState,
      canBePaid: sql<boolean>`public.has_payout_account(${agents.pubkey})`.as('can_be_paid'),
      requestNeeds: requestNeeds($.fee),
      jobTerms: terms,
    })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .leftJoin(jobTerms, eq(jobTerms.agentId, agents.id))
    .where(eq(agents.id, $.id)),
)

/** @param fee X402_FEE */
export async function findAgentWithPayouts(db: Db, id: string, fee: bigint): Promise<FoundAgent | undefined> {
  const [row] = await agentWithPayouts.run(db, { id, fee })
  return row
}

/** What the preview of a link shows of an agent. */
export type AgentPreview = Pick<PublicAgent, 'name' | 'description' | 'status'>

const { name, description, status } = publicAgent
const agentPreview = read({ id: agents.id }, (db, $) =>
  db.select({ name, description, status }).from(agents).where(eq(agents.id, $.id)),
)

export async function findAgentPreview(db: Db, id: string): Promise<AgentPreview | undefined> {
  const [row] = await agentPreview.run(db, { id })
  return row
}
