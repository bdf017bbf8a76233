import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID } from '../../examples.ts'
import { listedRouteStates, requestResourceCodes } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Timestamp, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
const ListedRoute = body(
  'ListedRoute',
  'Whether the route of a price is in the catalog of paid routes.',
  {
    name: [UserText, 'The name of the price.'],
    url: [
      v.optional(UserText),
      'The route, at the origin of the agent’s `apiEndpoint`. Absent if the name is not a method and a path, or there is no public endpoint.',
    ],
    state: [
      v.picklist(listedRouteStates),
      'unpaid (nobody has paid for it yet, nor was it checked), pending (it is checked within minutes), listed, or rejected.',
    ],
    code: [
      v.optional(v.picklist(requestResourceCodes)),
      'Why it is not in the catalog: price_not_a_route, price_ended, no_endpoint, not_active, hidden, not_named (your host has not named the agent, so only GET and HEAD are checked), or what the last check found: not_402, no_header, not_declared, names_another, price_differs, too_large, unsafe_text, opted_out, down. A listed route has the code of a first finding; a second one in a row takes it off the catalog.',
    ],
    remedy: [v.optional(OwnText), 'What you can do about it.'],
    hidden: [v.boolean(), 'Whether you keep it out of the catalog.'],
    checkedAt: [v.optional(Timestamp), 'The last check.'],
    nextCheckAt: [v.optional(Timestamp), 'The next check, unless you ask for one.'],
    paidAt: [v.optional(Timestamp), 'The last settled payment for it.'],
  },
  {
    name: 'GET /forecast/:city',
    url: 'https://api.example.com/forecast/:city',
    state: 'rejected',
    code: 'not_402',
    remedy:
      'Let your server answer 402 at exactly this path, without a query, a body or a payment. Then check again.',
    hidden: false,
    checkedAt: '2026-11-28T12:31:00.000Z',
    nextCheckAt: '2026-11-28T18:07:00.000Z',
    paidAt: '2026-11-28T12:30:00.000Z',
  },
)

const route = exampleOf(ListedRoute)

export const ListedRoutes = body(
  'ListedRoutes',
  'The routes of an agent’s prices, as its owner sees them.',
  {
    agentId: [WireUuid, 'The agent.'],
    routes: [v.array(ListedRoute), 'Of present prices, and of ended ones for 30 days. By name.'],
  },
  { agentId: AGENT_ID, routes: [route] },
)
