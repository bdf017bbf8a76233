import type { Endpoint, EndpointPatch, EndpointRequest } from '../../client/generated/types.ts'

/** What an endpoint's form holds. */
export type EndpointDraft = Required<EndpointRequest>

/** What an endpoint is now; without one, a new one that hears everything. */
export const draftOf = (endpoint?: Endpoint): EndpointDraft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  eventTypes: endpoint?.eventTypes ?? [],
  agentIds: endpoint?.agentIds ?? [],
})

/** A draft as POST /events/endpoints takes it. */
export const requestOf = ({ description, ...rest }: EndpointDraft): EndpointRequest => ({
  ...rest,
  ...(description.trim() && { description }),
})

/**
 * What of a draft differs from the endpoint, as PATCH /events/endpoints/{id} takes it: null removes.
 * Undefined: nothing. In which order something was chosen is no difference.
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
