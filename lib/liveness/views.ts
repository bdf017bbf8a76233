import type { ApiProtocol } from '../../schema/values.ts'
import type { AgentEndpointState as WireState } from '../../schema/wire/agent-endpoint.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { AgentEndpointState } from './queries.ts'

/** An agent or entry as it was read: with the state of its agent endpoint, or after a change without. */
export type WithAgentEndpoint = {
  apiEndpoint: string | null
  apiProtocol: ApiProtocol | null
  endpoint?: AgentEndpointState | null
}

/**
 * What is known of an agent's endpoint, where one that can be looked at is named and the answer is a read.
 */
export const agentEndpointView = (agent: WithAgentEndpoint): Wire<typeof WireState> | undefined =>
  agent.endpoint === undefined || agent.apiEndpoint === null || agent.apiProtocol === null
    ? undefined
    : stateView(agent.endpoint)

const stateView = (state: AgentEndpointState | null): Wire<typeof WireState> => ({
  status: state?.status ?? 'unknown',
  checkedAt: state?.checkedAt?.toISOString(),
  nextCheckAt: state?.nextProbeAt?.toISOString(),
  latencyMs: state?.latencyMs ?? undefined,
  uptime30d: state?.uptime30d ?? undefined,
  auth: state?.isAuthRequired ? 'required' : undefined,
  card: state?.cardStatus ?? 'none',
})
