import { agents } from '../../schema/tables/agents.ts'

export type AgentRow = typeof agents.$inferSelect

/** The public columns of an agent. Reads for anybody but its owner select only these. */
export const publicAgent = {
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
  logoUrl: agents.logoUrl,
  reputationScore: agents.reputationScore,
  ratings: agents.ratings,
  ratedWeight: agents.ratedWeight,
  ratingSum: agents.ratingSum,
  totalHires: agents.totalHires,
  status: agents.status,
  statusReason: agents.statusReason,
  registeredAt: agents.registeredAt,
  requestPrices: agents.requestPrices,
  lowestRequestPrice: agents.lowestRequestPrice,
}

export type PublicAgent = Pick<AgentRow, keyof typeof publicAgent>
