import type { ApiProtocol } from '../../schema/values.ts'
import type { AgentEndpointState } from './queries.ts'

/** An agent or entry, with the state of its endpoint unless it was just changed. */
export type WithAgentEndpoint = {
  apiEndpoint: string | null
  apiProtocol: ApiProtocol | null
  endpoint?: AgentEndpointState | null
}

/** Returns the row of an EndpointState; undefined without a probed endpoint, and in answers to changes. */
export function agentEndpointRow({ endpoint: state, apiEndpoint, apiProtocol }: WithAgentEndpoint) {
  if (state === undefined || apiEndpoint === null || apiProtocol === null) return undefined
  return {
    status: state?.status ?? ('unknown' as const),
    checkedAt: state?.checkedAt,
    nextCheckAt: state?.nextProbeAt,
    latencyMs: state?.latencyMs,
    uptime30d: state?.uptime30d,
    auth: state?.isAuthRequired ? ('required' as const) : undefined,
    card: state?.cardStatus ?? ('none' as const),
  }
}
