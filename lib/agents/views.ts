import type { Wallet } from '../../schema/wallet.ts'
import type { Agent, AgentList, AgentRequests, OwnAgent } from '../../schema/wire/agents.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { Hire, HireList, HirerHire, HirerList } from '../../schema/wire/hires.ts'
import { agentEndpointView, type WithAgentEndpoint } from '../liveness/views.ts'
import { weightOf } from '../reputation/counterparties/rules.ts'
import { DAY_MS } from '../time.ts'
import type { AgentRow, PublicAgent } from './column-queries.ts'
import type { HireOfAgent } from './hiring/hire-list-queries.ts'
import type { HireRow } from './hiring/hire-queries.ts'
import type { HireByHirer } from './hiring/hirer-queries.ts'
import type { ReadAgent } from './queries.ts'
import { averageRating } from './rules.ts'

/** Makes an Agent. Only its owner sees the webhook's URL: see {@link ownAgentView}. */
export const agentView = (
  agent: PublicAgent & WithAgentEndpoint & Pick<ReadAgent, 'requestNeeds'> & { canBePaid?: boolean },
): Wire<typeof Agent> => ({
  id: agent.id,
  pubkey: agent.pubkey,
  name: agent.name,
  description: agent.description ?? undefined,
  agentType: agent.agentType,
  supportedLayers: agent.supportedLayers,
  feeModel: agent.feeModel,
  feeAmount: agent.feeAmount,
  reputationScore: agent.reputationScore,
  rating: averageRating(agent),
  ratings: agent.ratings,
  ratingsWeight: weightOf(agent.ratedWeight),
  totalHires: agent.totalHires,
  status: agent.status,
  statusReason: agent.statusReason ?? undefined,
  apiEndpoint: agent.apiEndpoint ?? undefined,
  apiProtocol: agent.apiProtocol ?? undefined,
  endpoint: agentEndpointView(agent),
  canBePaid: agent.canBePaid || undefined,
  requests: requestsView(agent),
  logoUrl: agent.logoUrl ?? undefined,
  registeredAt: agent.registeredAt.toISOString(),
})

/** Makes the `requests` of an agent; undefined without prices, and in answers that do not read them. */
const requestsView = ({
  requestNeeds: missing,
  requestPrices: count,
  lowestRequestPrice,
  status,
}: PublicAgent & Pick<ReadAgent, 'requestNeeds'>): Wire<typeof AgentRequests> | undefined =>
  missing
    ? {
        from: lowestRequestPrice ?? undefined,
        count,
        // Servers whose address is not registered are paid, too.
        ready: status === 'active' && missing.every((need) => need === 'endpoint'),
        missing: missing.length === 0 ? undefined : missing,
      }
    : undefined

/** Makes an OwnAgent. @param webhookSecret if it was just made */
export const ownAgentView = (agent: AgentRow, webhookSecret?: string): Wire<typeof OwnAgent> => ({
  ...agentView(agent),
  webhookUrl: agent.webhookUrl ?? undefined,
  webhookSecret,
  webhookDisabledAt: agent.webhookDisabledAt?.toISOString(),
})

/** Makes the answer to a change: with the owner's fields for the owner, without them for an operator. */
export const changedAgentView = (
  agent: AgentRow,
  webhookSecret: string | undefined,
  caller: Wallet,
): Wire<typeof OwnAgent> =>
  agent.pubkey === caller
    ? ownAgentView(agent, webhookSecret)
    : { ...agentView(agent), webhookUrl: undefined, webhookSecret: undefined, webhookDisabledAt: undefined }

/** Makes an AgentList. */
export const agentListView = (page: {
  agents: ReadAgent[]
  nextCursor?: string
}): Wire<typeof AgentList> => ({
  agents: page.agents.map(agentView),
  count: page.agents.length,
  nextCursor: page.nextCursor,
})

/** Makes a Hire. */
export const hireView = ({ hire, agent, ...sums }: HireOfAgent): Wire<typeof Hire> => ({
  id: hire.id,
  agent: agentView(agent),
  ...termsView(hire, sums),
})

/** Makes the fields of a hire that both sides see. */
const termsView = (hire: HireRow, { spent, requestsPaid }: Pick<HireByHirer, 'spent' | 'requestsPaid'>) => ({
  layersEnabled: hire.layersEnabled,
  feeModel: hire.feeModel,
  feeAmount: hire.feeAmount,
  budgetLimit: hire.budgetLimit ?? undefined,
  period: periodView(hire),
  spent,
  requestsPaid,
  remaining: hire.budgetLimit === null ? undefined : hire.budgetLimit - spent,
  autoRenew: hire.autoRenew,
  status: hire.status,
  hiredAt: hire.hiredAt.toISOString(),
  expiresAt: hire.expiresAt.toISOString(),
  endedAt: hire.endedAt?.toISOString(),
})

/** A period is a term of whole 24-hour days; periodStart in parts/hire-term.ts computes the same in SQL. */
const periodView = ({ expiresAt, termDays }: HireRow) => ({
  start: new Date(expiresAt.getTime() - termDays * DAY_MS).toISOString(),
  end: expiresAt.toISOString(),
})

/** Makes a HirerHire, for the agent's owner: with the hirer instead of the agent. */
const hirerView = ({ hire, ...sums }: HireByHirer): Wire<typeof HirerHire> => ({
  id: hire.id,
  agentId: hire.agentId,
  hirer: hire.wallet,
  ...termsView(hire, sums),
})

/** Makes a HirerList. */
export const hirerListView = (page: {
  hires: HireByHirer[]
  nextCursor?: string
}): Wire<typeof HirerList> => ({
  hires: page.hires.map(hirerView),
  count: page.hires.length,
  nextCursor: page.nextCursor,
})

/** Makes a HireList. */
export const hireListView = (page: { hires: HireOfAgent[]; nextCursor?: string }): Wire<typeof HireList> => ({
  hires: page.hires.map(hireView),
  count: page.hires.length,
  nextCursor: page.nextCursor,
})
