import type { ApiProtocol } from '../../schema/values.ts'
import type { AgentEndpointState as WireState } from '../../schema/wire/agents.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { AgentEndpointState } from './queries.ts'

/** An agent or entry, with the state of its endpoint unless it was just changed. */
export type WithAgentEndpoint = {
  apiEndpoint: string | null
  apiProtocol: ApiProtocol | null
  endpoint?: AgentEndpointState | null
}

/**
 * Makes the `endpoint` of an answer; undefined without a probed endpoint, and in answers to changes.
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
