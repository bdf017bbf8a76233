import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID, OTHER_WALLET, WEBHOOK_SECRET } from '../../examples.ts'
import { agentStatuses, agentTypes, feeModels, sellingNeeds } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body, pageOf } from '../body.ts'
import { ApiProtocol, Count, Timestamp, WireAmount, WireUuid } from '../common.ts'
import { AgentEndpointState } from './endpoint.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const AgentRequests = body(
  'AgentRequests',
  'That the agent sells single requests by x402. GET /x402/agents/{id} has its prices and how to pay them.',
  {
    from: [v.optional(WireAmount), 'The lowest price in CRED, in lamports; absent without a price in CRED.'],
    count: [v.pipe(v.number(), v.integer(), v.minValue(1)), 'The number of its prices, in any token.'],
    ready: [
      v.boolean(),
      'Whether it can be paid now, as far as the service knows without asking the network: it is active, and nothing but `endpoint` is missing.',
    ],
    missing: [
      v.optional(v.array(v.picklist(sellingNeeds))),
      'What its owner has to do first: key (create a facilitator key), credit (buy credit), token_account (a payment was refused because the owner’s wallet can’t receive the token), endpoint (set an apiEndpoint, so that buyers find its API). Absent if nothing is missing.',
    ],
  },
  { from: 250_000_000, count: 3, ready: true },
)

const agentFields = {
  id: [WireUuid, 'UUID.'],
  pubkey: [OwnText, 'The owning wallet.'],
  name: [UserText, 'Name, 3 to 32 characters.'],
  description: [v.optional(UserText), 'What it does, in its owner’s words.'],
  agentType: [v.picklist(agentTypes), 'How far it acts on its own.'],
  supportedLayers: [v.array(v.pipe(v.number(), v.integer())), 'Capture layers, ascending.'],
  feeModel: [v.picklist(feeModels), 'How it charges.'],
  feeAmount: [WireAmount, 'Basis points for `percentage`, lamports otherwise.'],
  reputationScore: [
    v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    'Its reliability, 0 to 100. Satisfied paying wallets add up to 80 (GET /reputation/rules). Other wallets whose hire ran its first term count once each: u of them add 20·u/(u + 4). A hire that ended earlier counts nothing.',
  ],
  rating: [
    v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
    'The weighted average of the latest rating of each wallet that paid it; absent without ratings.',
  ],
  ratings: [Count, 'How many wallets have rated it.'],
  ratingsWeight: [
    v.pipe(v.number(), v.minValue(0)),
    'The total weight of these wallets: each up to 1, by the protocol fees that it has paid. A small weight is cheap to fake.',
  ],
  totalHires: [Count, 'Hires so far.'],
  status: [v.picklist(agentStatuses), 'Only an active agent can be hired.'],
  statusReason: [v.optional(UserText), 'Why an operator suspended it.'],
  apiEndpoint: [v.optional(UserText), 'Where the agent is reached.'],
  apiProtocol: [v.optional(ApiProtocol), 'The protocol of its endpoint, as its owner declares.'],
  endpoint: [
    v.optional(AgentEndpointState),
    'The result of the last probe of the endpoint. Only in GET /agents and GET /agents/{id}, and only with an apiProtocol.',
  ],
  canBePaid: [
    v.optional(v.literal(true)),
    'Whether its owner has set up payouts (POST /payments/collectors). Until then nobody can fund a hire of it. Only in GET /agents/{id}.',
  ],
  requests: [
    v.optional(AgentRequests),
    'The requests that it sells, if any. Only in GET /agents and GET /agents/{id}.',
  ],
  logoUrl: [v.optional(UserText), 'Its logo.'],
  registeredAt: [Timestamp, 'When it was registered.'],
} as const

export const Agent = body('Agent', 'An agent on the marketplace.', agentFields, {
  id: AGENT_ID,
  pubkey: OTHER_WALLET,
  name: 'Yield Scout',
  description: 'Finds staking yield and moves into it.',
  agentType: 'autonomous',
  supportedLayers: [10, 17],
  feeModel: 'percentage',
  feeAmount: 500,
  reputationScore: 0,
  ratings: 0,
  ratingsWeight: 0,
  totalHires: 1,
  status: 'active',
  apiEndpoint: 'https://scout.example.com/a2a',
  apiProtocol: 'a2a-jsonrpc',
  logoUrl: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  registeredAt: '2026-11-20T09:00:00.000Z',
})

export const agentExample = exampleOf(Agent)

/** An agent with the fields that only its owner sees, in answers to registering and changing it. */
export const OwnAgent = body(
  'OwnAgent',
  'An agent as its owner sees it.',
  {
    ...agentFields,
    webhookUrl: [v.optional(UserText), 'Where its events are sent; shown only to its owner.'],
    webhookSecret: [
      v.optional(OwnText),
      'The secret that signs its webhooks (`v1`), `whsec_` and Base64. It is shown only when the agent’s first webhookUrl is set, and stays the same when the URL changes. To make a new secret, call POST /events/endpoints/{id}/secret with the agent’s id.',
    ],
    webhookDisabledAt: [
      v.optional(Timestamp),
      'When it was disabled: it answered 410, answered no delivery with 2xx for five days, or too many deliveries were waiting.',
    ],
  },
  {
    ...agentExample,
    totalHires: 0,
    webhookUrl: 'https://scout.example.com/hooks/agentcred',
    webhookSecret: WEBHOOK_SECRET,
  },
)

export const AgentList = pageOf(
  ['AgentList', 'agents', 'One page of agents.'],
  Agent,
  ['In the list’s order.', 'agents'],
  agentExample,
)
