import type { Agent, Endpoint, EndpointPatch, EndpointRequest } from '../../../client/generated/types.ts'
import type { Client } from '../../../client/index.ts'

/** The values of an endpoint's form. */
export type EndpointDraft = Required<EndpointRequest>

/** Returns the form's values for an endpoint; without one, the values of a new endpoint for all events. */
export const draftOf = (endpoint?: Endpoint): EndpointDraft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  eventTypes: endpoint?.eventTypes ?? [],
  agentIds: endpoint?.agentIds ?? [],
})

/** Returns the body of POST /events/endpoints. */
export const requestOf = ({ description, ...rest }: EndpointDraft): EndpointRequest => ({
  ...rest,
  ...(description.trim() && { description }),
})

/**
 * Returns the body of PATCH /events/endpoints/{id}: the fields of a draft that differ from the endpoint's.
 * Null removes a field. The order of selected events and agents makes no difference.
 * @returns undefined if nothing differs
 */
export function patchOf(endpoint: Endpoint, draft: EndpointDraft): EndpointPatch | undefined {
  const before = draftOf(endpoint)
  const [url, description] = [draft.url.trim(), draft.description.trim()]
  const patch = {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description: description || null }),
    ...(!areSame(draft.eventTypes, before.eventTypes) && { eventTypes: draft.eventTypes }),
    ...(!areSame(draft.agentIds, before.agentIds) && { agentIds: draft.agentIds }),
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}

const areSame = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

/** Names of agents by their ids. */
export type AgentNames = ReadonlyMap<string, string>

/** Loads every agent of a wallet, of any status: at most ten pages, because of the wallet's quota. */
export const allAgentsOf = (client: Client, owner: string, signal: AbortSignal): Promise<Agent[]> =>
  Array.fromAsync(client.list('GET /agents', { query: { owner, status: 'all', limit: 100 }, signal }))

/** Returns the names of agents, with the end of the id if several have the same name. */
export function namesOf(agents: readonly Pick<Agent, 'id' | 'name'>[]): AgentNames {
  const named = Map.groupBy(agents, ({ name }) => name)
  return new Map(
    agents.map(({ id, name }) => [id, named.get(name)?.length === 1 ? name : `${name} (…${id.slice(-4)})`]),
  )
}
