import { layerNames } from '../../../schema/registry.ts'
import type { ReadAgent } from '../../agents/queries.ts'
import type { ReadRegisteredAgent } from '../../registry/queries.ts'
import type { Resource } from './rules.ts'

/** Makes a resource from a marketplace agent, as lib/agents/listing/resource-queries.ts does in SQL. */
export const agentResource = (agent: ReadAgent): Resource => ({
  kind: 'agent',
  key: agent.id,
  name: agent.name,
  description: agent.description,
  agentType: agent.agentType,
  feeModel: agent.feeModel,
  capabilities: agent.supportedLayers.flatMap((layer) => layerNames[layer] ?? []),
  protocol: protocolOf(agent),
  apiEndpoint: agent.apiEndpoint,
  identifier: ownIdentifier(agent, `agent:${agent.id}`),
  reputationScore: agent.reputationScore,
  paidPerRequest: agent.requestPrices > 0,
  updatedAt: null,
})

/** Makes a resource from a registry entry, as lib/registry/resource-queries.ts does in SQL. */
export const registeredResource = (entry: ReadRegisteredAgent): Resource => ({
  kind: 'registered',
  key: entry.pubkey,
  name: entry.name,
  description: entry.description,
  agentType: entry.agentType,
  feeModel: entry.feeModel,
  capabilities: entry.capabilities,
  protocol: protocolOf(entry),
  apiEndpoint: entry.apiEndpoint,
  identifier: ownIdentifier(entry, `registered:${entry.pubkey}`),
  reputationScore: null,
  paidPerRequest: null,
  updatedAt: entry.updatedAt,
})

const ownIdentifier = ({ endpoint }: Pick<ReadAgent, 'endpoint'>, subject: string): string | null =>
  endpoint?.identifies === subject ? endpoint.identifier : null

const protocolOf = ({ apiEndpoint, apiProtocol }: Pick<ReadAgent, 'apiEndpoint' | 'apiProtocol'>) =>
  apiEndpoint === null ? 'http' : (apiProtocol ?? 'http')
