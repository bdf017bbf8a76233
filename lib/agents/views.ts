import type { Wallet } from '../../schema/wallet.ts'
import type { Agent, AgentList, Hire, HireList, OwnAgent } from '../../schema/wire/agent-answers.ts'
import type { Wire } from '../../schema/wire/common.ts'
import { weightOf } from '../dealings/rules.ts'
import type { HireOfAgent } from './hire-queries.ts'
import type { AgentRow } from './queries.ts'
import { averageRating } from './rules.ts'

/** Agent of the contract. The webhook's address is its owner's secret: see {@link ownAgentView}. */
export const agentView = (agent: AgentRow): Wire<typeof Agent> => ({
  id: agent.id,
  pubkey: agent.pubkey,
  name: agent.name,
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
  logoUrl: agent.logoUrl ?? undefined,
  registeredAt: agent.registeredAt.toISOString(),
})

/** An agent as its owner sees it. */
export const ownAgentView = (agent: AgentRow): Wire<typeof OwnAgent> => ({
  ...agentView(agent),
  webhookUrl: agent.webhookUrl ?? undefined,
  webhookDisabledAt: agent.webhookDisabledAt?.toISOString(),
})

/** A changed agent: as its owner sees it, or to the operator who changed it without what is the owner's. */
export const changedAgentView = (agent: AgentRow, caller: Wallet): Wire<typeof OwnAgent> =>
  agent.pubkey === caller
    ? ownAgentView(agent)
    : { ...agentView(agent), webhookUrl: undefined, webhookDisabledAt: undefined }

/** AgentList of the contract, with the next page's cursor. */
export const agentListView = (page: { agents: AgentRow[]; nextCursor?: string }): Wire<typeof AgentList> => ({
  agents: page.agents.map(agentView),
  count: page.agents.length,
  nextCursor: page.nextCursor,
})

/** Hire of the contract. */
export const hireView = ({ hire, agent }: HireOfAgent): Wire<typeof Hire> => ({
  id: hire.id,
  agent: agentView(agent),
  layersEnabled: hire.layersEnabled,
  budgetLimit: hire.budgetLimit ?? undefined,
  autoRenew: hire.autoRenew,
  status: hire.status,
  hiredAt: hire.hiredAt.toISOString(),
  expiresAt: hire.expiresAt.toISOString(),
  endedAt: hire.endedAt?.toISOString(),
})

/** HireList of the contract, with the next page's cursor. */
export const hireListView = (page: { hires: HireOfAgent[]; nextCursor?: string }): Wire<typeof HireList> => ({
  hires: page.hires.map(hireView),
  count: page.hires.length,
  nextCursor: page.nextCursor,
})
