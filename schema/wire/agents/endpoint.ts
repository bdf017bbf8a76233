import * as v from 'valibot'
import { agentEndpointStatuses, cardStatuses } from '../../values.ts'
import { body } from '../body.ts'
import { Count, Timestamp } from '../common.ts'

/** The last observation of an agent's apiEndpoint. */
export const AgentEndpointState = body(
  'EndpointState',
  'The result of the last probe of apiEndpoint. It is probed every six hours, or once a day if no agent with this endpoint was hired recently. It says nothing about who registered the agent.',
  {
    status: [
      v.picklist(agentEndpointStatuses),
      'live: it answered by its protocol, or asked for authentication. down: at least two probes in a row failed. unknown: it was not probed yet, is no longer probed (after 30 days down), or its host’s robots.txt forbids probes.',
    ],
    checkedAt: [v.optional(Timestamp), 'When it was last probed.'],
    nextCheckAt: [
      v.optional(Timestamp),
      'When it will be probed next; some minutes later when many are due. Absent when no probe is scheduled.',
    ],
    latencyMs: [v.optional(Count), 'How long its last answer took.'],
    uptime30d: [
      v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      'The share of probes in the last 30 days that found it live, 0 to 1.',
    ],
    auth: [
      v.optional(v.literal('required')),
      'It asked for authentication or payment, so the probe did not see what is behind that.',
    ],
    card: [
      v.picklist(cardStatuses),
      'The A2A agent card of its own host: verified by a key of the card’s own origin; signed, but not verified; unsigned; or none.',
    ],
  },
  {
    status: 'live',
    checkedAt: '2026-11-21T06:09:12.000Z',
    nextCheckAt: '2026-11-21T12:07:00.000Z',
    latencyMs: 84,
    uptime30d: 0.99,
    card: 'none',
  },
)

/** The filters of lists by the endpoints of agents and entries. */
export const agentEndpointFilters = {
  endpoint: [
    v.optional(v.picklist(agentEndpointStatuses)),
    'Only agents with this `endpoint.status`. An agent without apiEndpoint or apiProtocol has none.',
  ],
  card: [
    v.optional(v.picklist(cardStatuses)),
    'Only agents with this `endpoint.card`: how the agent card at the endpoint’s own host was verified at the last probe.',
  ],
} as const
