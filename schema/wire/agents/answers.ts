import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, OTHER_WALLET, WEBHOOK_SECRET } from '../../examples.ts'
import { agentStatuses, agentTypes, feeModels, sellingNeeds } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { ApiProtocol, Timestamp, WireAmount, WireUuid } from '../common.ts'
import { AgentEndpointState } from './endpoint.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const AgentRequests = v.strictObject({
  from: v.optional(WireAmount),
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
  ready: v.boolean(),
  missing: v.optional(v.array(v.picklist(sellingNeeds))),
})

describe(AgentRequests, {
  name: 'AgentRequests',
  description:
    'That the agent sells single requests by x402. GET /x402/agents/{id} has its prices and how to pay them.',
  fields: {
    from: 'The lowest price in CRED, in lamports; absent without a price in CRED.',
    count: 'The number of its prices, in any token.',
    ready:
      'Whether it can be paid now, as far as the service knows without asking the network: it is active, and nothing but `endpoint` is missing.',
    missing:
      'What its owner has to do first: key (create a facilitator key), credit (buy credit), token_account (a payment was refused because the owner’s wallet can’t receive the token), endpoint (set an apiEndpoint, so that buyers find its API). Absent if nothing is missing.',
  },
  example: { from: 250_000_000, count: 3, ready: true },
})

export const Agent = v.strictObject({
  id: WireUuid,
  pubkey: OwnText,
  name: UserText,
  description: v.optional(UserText),
  agentType: v.picklist(agentTypes),
  supportedLayers: v.array(v.pipe(v.number(), v.integer())),
  feeModel: v.picklist(feeModels),
  feeAmount: WireAmount,
  reputationScore: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  rating: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
  ratings: v.pipe(v.number(), v.integer(), v.minValue(0)),
  ratingsWeight: v.pipe(v.number(), v.minValue(0)),
  totalHires: v.pipe(v.number(), v.integer(), v.minValue(0)),
  status: v.picklist(agentStatuses),
  statusReason: v.optional(UserText),
  apiEndpoint: v.optional(UserText),
  apiProtocol: v.optional(ApiProtocol),
  endpoint: v.optional(AgentEndpointState),
  canBePaid: v.optional(v.literal(true)),
  requests: v.optional(AgentRequests),
  logoUrl: v.optional(UserText),
  registeredAt: Timestamp,
})

const agentFields = {
  id: 'UUID.',
  pubkey: 'The owning wallet.',
  name: 'Name, 3 to 32 characters.',
  description: 'What it does, in its owner’s words.',
  agentType: 'How far it acts on its own.',
  supportedLayers: 'Capture layers, ascending.',
  feeModel: 'How it charges.',
  feeAmount: 'Basis points for `percentage`, lamports otherwise.',
  reputationScore:
    'Its reliability, 0 to 100. Satisfied paying wallets add up to 80 (GET /reputation/rules). Other wallets whose hire ran its first term count once each: u of them add 20·u/(u + 4). A hire that ended earlier counts nothing.',
  rating: 'The weighted average of the latest rating of each wallet that paid it; absent without ratings.',
  ratings: 'How many wallets have rated it.',
  ratingsWeight:
    'The total weight of these wallets: each up to 1, by the protocol fees that it has paid. A small weight is cheap to fake.',
  totalHires: 'Hires so far.',
  status: 'Only an active agent can be hired.',
  statusReason: 'Why an operator suspended it.',
  apiEndpoint: 'Where the agent is reached.',
  apiProtocol: 'The protocol of its endpoint, as its owner declares.',
  endpoint:
    'The result of the last probe of the endpoint. Only in GET /agents and GET /agents/{id}, and only with an apiProtocol.',
  canBePaid:
    'Whether its owner has set up payouts (POST /payments/collectors). Until then nobody can fund a hire of it. Only in GET /agents/{id}.',
  requests: 'The requests that it sells, if any. Only in GET /agents and GET /agents/{id}.',
  logoUrl: 'Its logo.',
  registeredAt: 'When it was registered.',
}

export const agentExample: v.InferInput<typeof Agent> = {
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
}

describe(Agent, {
  name: 'Agent',
  description: 'An agent on the marketplace.',
  fields: agentFields,
  example: agentExample,
})

/** An agent with the fields that only its owner sees, in answers to registering and changing it. */
export const OwnAgent = v.strictObject({
  ...Agent.entries,
  webhookUrl: v.optional(UserText),
  webhookSecret: v.optional(OwnText),
  webhookDisabledAt: v.optional(Timestamp),
})

describe(OwnAgent, {
  name: 'OwnAgent',
  description: 'An agent as its owner sees it.',
  fields: {
    ...agentFields,
    webhookUrl: 'Where its events are sent; shown only to its owner.',
    webhookSecret:
      'The secret that signs its webhooks (`v1`), `whsec_` and Base64. It is shown only when the agent’s first webhookUrl is set, and stays the same when the URL changes. To make a new secret, call POST /events/endpoints/{id}/secret with the agent’s id.',
    webhookDisabledAt:
      'When it was disabled: it answered 410, answered no delivery with 2xx for five days, or too many deliveries were waiting.',
  },
  example: {
    ...agentExample,
    totalHires: 0,
    webhookUrl: 'https://scout.example.com/hooks/agentcred',
    webhookSecret: WEBHOOK_SECRET,
  },
})

export const AgentList = v.strictObject({
  agents: v.array(Agent),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(AgentList, {
  name: 'AgentList',
  description: 'One page of agents.',
  fields: {
    agents: 'In the list’s order.',
    count: 'Number of agents on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { agents: [agentExample], count: 1 },
})
