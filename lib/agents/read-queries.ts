import { eq, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf } from '../liveness/queries.ts'
import { publicAgent } from './column-queries.ts'
import type { ReadAgent } from './queries.ts'

/** An agent as a read of it alone has it. */
export type FoundAgent = ReadAgent & {
  /** Whether its owner has set up payouts. */
  canBePaid: boolean
}

// A function of Postgres says who has set up payouts: no right to read payments is needed.
const agentWithPayouts = read({ id: agents.id }, (db, $) =>
  db
    .select({
      ...publicAgent,
      endpoint: agentEndpointState,
      canBePaid: sql<boolean>`public.has_payout_account(${agents.pubkey})`.as('can_be_paid'),
    })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .where(eq(agents.id, $.id)),
)

export async function findAgentWithPayouts(db: Db, id: string): Promise<FoundAgent | undefined> {
  const [row] = await agentWithPayouts.run(db, { id })
  return row
}
