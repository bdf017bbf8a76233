import type { Agent, AgentPatch } from '../../client/generated/types.ts'
import type { Protocol } from './api-protocols.ts'

/** What an owner can change of an agent beside its status, as its form holds it: '' is none. */
type AgentDraft = {
  description: string
  apiEndpoint: string
  apiProtocol: Protocol
  logoUrl: string
  /** The agent does not show the present one; '' keeps it. */
  webhookUrl: string
}

export const draftOf = (agent: Agent): AgentDraft => ({
  description: agent.description ?? '',
  apiEndpoint: agent.apiEndpoint ?? '',
  apiProtocol: agent.apiProtocol ?? '',
  logoUrl: agent.logoUrl ?? '',
  webhookUrl: '',
})

/**
 * What of a draft differs from the agent, as PATCH /agents/{id} takes it: null removes. Undefined: nothing.
 */
export function patchOf(agent: Agent, draft: AgentDraft): AgentPatch | undefined {
  const before = draftOf(agent)
  const changed = (Object.keys(before) as (keyof AgentDraft)[]).filter(
    (field) => draft[field].trim() !== before[field],
  )
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((field) => [field, draft[field].trim() || null]))
}
