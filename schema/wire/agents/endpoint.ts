import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { agentEndpointStatuses, cardStatuses } from '../../values.ts'
import { Timestamp } from '../common.ts'

/** The last observation of an agent's apiEndpoint. */
export const AgentEndpointState = v.strictObject({
  status: v.picklist(agentEndpointStatuses),
  checkedAt: v.optional(Timestamp),
  nextCheckAt: v.optional(Timestamp),
  latencyMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  uptime30d: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  auth: v.optional(v.literal('required')),
  card: v.picklist(cardStatuses),
})

const example: v.InferInput<typeof AgentEndpointState> = {
  status: 'live',
  checkedAt: '2026-11-21T06:09:12.000Z',
  nextCheckAt: '2026-11-21T12:07:00.000Z',
  latencyMs: 84,
  uptime30d: 0.99,
  card: 'none',
}

if (WORDS)
  describe(AgentEndpointState, {
    name: 'EndpointState',
    description:
      'What was last seen of apiEndpoint, every six hours, or once a day where no agent that names it was hired lately. It says nothing about who registered the agent.',
    fields: {
      status:
        'live: it answered as its protocol has it, or asked for authentication. down: it failed twice or more in a row. unknown: not looked at yet, not any more (after 30 days down), or its host’s robots.txt wants no probes.',
      checkedAt: 'When it was last looked at.',
      nextCheckAt:
        'When it is looked at next, or some minutes later where many are. None: it is not in line yet, or not any more.',
      latencyMs: 'How long its last answer took.',
      uptime30d: 'The share of looks in the last 30 days that found it live, 0 to 1.',
      auth: 'It asked for authentication or payment; what is behind that was not seen.',
      card: 'The A2A agent card of its own host: verified by a key of the card’s own origin; signed, but not verified so; unsigned; or none.',
    },
    example,
  })

/** The filters of lists by the endpoints of agents and entries. */
export const agentEndpointFilters = {
  endpoint: v.optional(v.picklist(agentEndpointStatuses)),
  card: v.optional(v.picklist(cardStatuses)),
}

export const agentEndpointFilterWords = {
  endpoint:
    'Only agents that show this as `endpoint.status`. One that names no endpoint, or not what it speaks, shows none.',
  card: 'Only agents that show this as `endpoint.card`: what the agent card at the endpoint’s own host was worth when it was last looked at.',
}
