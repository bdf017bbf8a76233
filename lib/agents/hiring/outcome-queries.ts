import { type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { agentHirers } from '../../../schema/tables/agent-hirers.ts'
import { agents } from '../../../schema/tables/agents.ts'
import type { Builder } from '../../db/builder.ts'
import { names } from '../../db/columns.ts'
import { countDealings, recordDealings } from '../../reputation/dealings/queries.ts'
import { agentScoreSql } from '../../reputation/dealings/score-queries.ts'

/** A CTE of hires by other wallets that have just run their first term: hirer and owner of the agent. */
type Completed = WithSubquery & { agentId: SQLWrapper; wallet: SQLWrapper; owner: SQLWrapper }

/**
 * The CTEs that record what hires that ran their first term mean for reputations: `hirer` has the pairs of
 * agent and wallet that are new, for the agent's score ({@link withHirers}), and the wallets' totals follow.
 * A statement lists all three.
 *
 * A pair is inserted once and counted by what was inserted: the same wallet again moves nothing. The agent's
 * row is locked by every statement with this, so its hirers wait for nobody.
 */
export function recordCompleted(db: Builder, completed: Completed) {
  const { agentId, wallet } = agentHirers
  const hirer = db.$with('hirer', { agentId }).as(sql`
    insert into ${agentHirers} (${names(agentId, wallet)})
    select distinct ${completed.agentId}, ${completed.wallet} from ${completed}
    on conflict do nothing
    returning ${names(agentId)}`)
  const dealing = recordDealings(db, [
    { wallet: completed.owner, kind: 'hirer', other: completed.wallet, from: completed },
    { wallet: completed.owner, kind: 'counterparty', other: completed.wallet, from: completed },
    { wallet: completed.wallet, kind: 'counterparty', other: completed.owner, from: completed },
  ])
  return { hirer, dealing, standing: countDealings(db, dealing) }
}

/** Says what an update of an agent sets when it has so many more hirers. */
export function withHirers(more: SQLWrapper) {
  const { payersWeight, satisfiedWeight } = agents
  const hirers = sql`(${agents.hirers} + ${more})`
  return { hirers, reputationScore: agentScoreSql({ hirers, payersWeight, satisfiedWeight }) }
}
