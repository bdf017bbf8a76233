import type { Wallet } from '../../schema/wallet.ts'
import { Agent, OwnAgent } from '../../schema/wire/agents.ts'
import type { Wire } from '../../schema/wire/common.ts'
import { Hire } from '../../schema/wire/hires.ts'
import { answer } from '../answer.ts'
import { agentEndpointRow, type WithAgentEndpoint } from '../liveness/views.ts'
import { weightOf } from '../reputation/counterparties/rules.ts'
import type { AgentRow, PublicAgent } from './column-queries.ts'
import type { HireOfAgent } from './hiring/hire-list-queries.ts'
import type { PresentHire } from './hiring/hire-queries.ts'
import type { HireByHirer } from './hiring/hirer-queries.ts'
import type { ReadAgent } from './queries.ts'
import type { FoundAgent } from './read-queries.ts'
import { averageRating } from './rules.ts'

type ViewedAgent = PublicAgent &
  WithAgentEndpoint &
  Pick<ReadAgent, 'requestNeeds'> & { canBePaid?: boolean; jobTerms?: FoundAgent['jobTerms'] }

/** Returns the row of an Agent: its columns, and what is computed from them. */
export const agentRow = (agent: ViewedAgent) => ({
  ...agent,
  rating: averageRating(agent),
  ratingsWeight: weightOf(agent.ratedWeight),
  endpoint: agentEndpointRow(agent),
  canBePaid: agent.canBePaid || undefined,
  requests: requestsRow(agent),
  jobTerms: agent.jobTerms ?? undefined,
})

/** Returns the `requests` of an agent; undefined without prices, and in answers that do not read them. */
const requestsRow = ({ requestNeeds: missing, requestPrices, lowestRequestPrice, status }: ViewedAgent) =>
  missing && {
    from: lowestRequestPrice,
    count: requestPrices,
    // Servers whose address is not registered are paid, too.
    ready: status === 'active' && missing.every((need) => need === 'endpoint'),
    missing: missing.length === 0 ? undefined : missing,
  }

/** Makes an Agent. Only its owner sees the webhook's URL: see {@link ownAgentView}. */
export const agentView = (agent: ViewedAgent): Wire<typeof Agent> => answer(Agent, agentRow(agent))

/** Makes an OwnAgent. @param webhookSecret if it was just made */
export const ownAgentView = (agent: AgentRow, webhookSecret?: string): Wire<typeof OwnAgent> =>
  answer(OwnAgent, { ...agent, ...agentRow(agent), webhookSecret })

/** Makes the answer to a change: with the owner's fields for the owner, without them for an operator. */
export const changedAgentView = (
  agent: AgentRow,
  webhookSecret: string | undefined,
  caller: Wallet,
): Wire<typeof OwnAgent> =>
  agent.pubkey === caller
    ? ownAgentView(agent, webhookSecret)
    : ownAgentView({ ...agent, webhookUrl: null, webhookDisabledAt: null })

type Sums = Pick<HireByHirer, 'spent' | 'requestsPaid'>

/** Returns the fields of a hire that both sides see: its columns, and what is computed from them. */
const termsRow = (hire: PresentHire, { spent, requestsPaid }: Sums) => ({
  ...hire,
  hirer: hire.wallet,
  period: { start: hire.periodStart, end: hire.expiresAt },
  spent,
  requestsPaid,
  remaining: hire.budgetLimit === null ? undefined : hire.budgetLimit - spent,
})

/** Returns the row of a Hire. */
export const hireRow = ({ hire, agent, ...sums }: HireOfAgent) => ({
  ...termsRow(hire, sums),
  agent: agentRow(agent),
})

/** Returns the row of a HirerHire, for the agent's owner: without the agent. */
export const hirerRow = ({ hire, ...sums }: HireByHirer) => termsRow(hire, sums)

/** Makes a Hire. */
export const hireView = (hire: HireOfAgent): Wire<typeof Hire> => answer(Hire, hireRow(hire))
