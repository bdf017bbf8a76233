import * as v from 'valibot'
import { constrain, exampleOf, whenFits } from '../docs.ts'
import { AGENT_ID, OTHER_WALLET, WEBHOOK_SECRET } from '../examples.ts'
import {
  agentEndpointStatuses,
  agentSorts,
  agentStatuses,
  agentTypes,
  cardStatuses,
  feeModels,
  MAX_COUNTED_AGENTS,
  sellingNeeds,
} from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import {
  Amount,
  AmountParameter,
  API_PROTOCOL,
  ApiProtocol,
  CalendarDate,
  Count,
  FIRST_LAYER,
  IntegerParameter,
  LAST_LAYER,
  Layers,
  Timestamp,
  Url,
  Uuid,
  WalletAddress,
  WireAmount,
  WireUuid,
  Yes,
} from './common.ts'
import { JobTerms } from './job-terms.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from './suspension.ts'
import { Name, Query, SEARCH_WORDS } from './text.ts'
import { WebhookUrl } from './webhook-destination.ts'

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
  jobTerms: [
    v.optional(JobTerms),
    'The terms under which it is sent jobs (POST /jobs); absent if it takes none. Only in GET /agents/{id}.',
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
  {
    close: [
      v.optional(v.literal(true)),
      'Only with `q`: no agent matches it. These come close: they have only some of its words, best first.',
    ],
  },
)

const LayerCount = body(
  'LayerCount',
  'How many agents of a list support a layer and are not idle.',
  { layer: [v.pipe(v.number(), v.integer()), 'The capture layer.'], count: [Count, 'The agents.'] },
  { layer: 17, count: 3 },
)

export const AgentCounts = body(
  'AgentCounts',
  'How many agents a list has.',
  {
    count: [Count, `The agents. ${MAX_COUNTED_AGENTS} means as many or more.`],
    layers: [v.array(LayerCount), `For each layer. ${MAX_COUNTED_AGENTS} means as many or more.`],
    complete: [
      v.boolean(),
      'false: the counts are of a part of the list, because it is too long to be searched at once. There are at least as many agents.',
    ],
  },
  { count: 24, layers: [{ layer: 17, count: 3 }], complete: true },
)

/** The number of days in a history, including the present one. */
export const HISTORY_DAYS = 30
/** The most hires, and the most charges, that are counted for one day. */
export const MAX_COUNTED_A_DAY = 200

const AgentDay = body(
  'AgentDay',
  'An agent’s activity on one day.',
  {
    day: [CalendarDate, 'The day, in UTC.'],
    hires: [Count, `Hires that began on this day. ${MAX_COUNTED_A_DAY} means as many or more.`],
    charges: [Count, `Charges that were not voided. ${MAX_COUNTED_A_DAY} means as many or more.`],
    requests: [
      Count,
      'Paid requests to it (x402). Its owner may have paid some of them from another wallet.',
    ],
    requestsPaid: [WireAmount, 'Lamports paid in CRED for these requests.'],
    looks: [Count, 'How often its current endpoint was probed.'],
    live: [Count, 'How many of these probes found the endpoint live.'],
  },
  {
    day: '2026-11-20',
    hires: 2,
    charges: 5,
    requests: 31,
    requestsPaid: 310_000_000,
    looks: 4,
    live: 4,
  },
)

export const AgentHistory = body(
  'AgentHistory',
  'An agent’s activity, day by day.',
  { days: [v.array(AgentDay), `Each of the last ${HISTORY_DAYS} days, oldest first.`] },
  {
    days: [
      {
        day: '2026-11-20',
        hires: 2,
        charges: 5,
        requests: 31,
        requestsPaid: 310_000_000,
        looks: 4,
        live: 4,
      },
    ],
  },
)

const DEFAULT_FEE_BPS = 500
const MAX_FEE_BPS = 10_000n

const MAX_DESCRIPTION_LENGTH = 500

/** Returns whether a price is possible: a percentage is at most 100 %. */
const isPrice = ({
  feeModel,
  feeAmount,
}: {
  feeModel?: string | undefined
  feeAmount?: number | bigint | undefined
}) => feeModel !== 'percentage' || feeAmount === undefined || feeAmount <= MAX_FEE_BPS
const PRICE_ERROR = 'must be at most 10000 basis points when feeModel is percentage'

const Description = Name(1, MAX_DESCRIPTION_LENGTH)
const ApiEndpoint = Url('http', 'https')
const LogoUrl = Url('http', 'https', 'ipfs', 'ar')

// A body without feeModel has the default, percentage.
const PRICES = whenFits(
  { properties: { feeModel: { type: 'string', const: 'percentage' } } },
  { properties: { feeAmount: { type: 'integer', maximum: Number(MAX_FEE_BPS) } } },
)

/** Body of POST /agents/register. */
export const AgentRegister = body(
  'AgentRegister',
  'A new agent. Unknown fields are rejected.',
  {
    name: [Name(3, 32), '3 to 32 characters (code points) after trimming.'],
    description: [
      v.optional(Description),
      `What it does, in one line of at most ${MAX_DESCRIPTION_LENGTH} characters.`,
    ],
    agentType: [v.picklist(agentTypes), 'How far it acts on its own.'],
    supportedLayers: [Layers, 'Layer numbers 1 to 22, at least one; duplicates are removed.'],
    feeModel: [v.optional(v.picklist(feeModels), 'percentage'), 'How it charges.'],
    feeAmount: [
      v.optional(Amount, DEFAULT_FEE_BPS),
      'Basis points for `percentage` (at most 10000), lamports otherwise.',
    ],
    apiEndpoint: [v.optional(ApiEndpoint), 'http or https.'],
    apiProtocol: [v.optional(ApiProtocol), API_PROTOCOL],
    webhookUrl: [
      v.optional(WebhookUrl),
      'Where its events are sent. Public https on port 443: no credentials, IP addresses, private names, or this service’s own.',
    ],
    logoUrl: [v.optional(LogoUrl), 'http, https, ipfs or ar.'],
  },
  {
    name: 'Yield Scout',
    description: 'Finds staking yield and moves into it.',
    agentType: 'autonomous',
    supportedLayers: [10, 17],
    feeModel: 'percentage',
    feeAmount: 500,
    apiEndpoint: 'https://scout.example.com/a2a',
    apiProtocol: 'a2a-jsonrpc',
    webhookUrl: 'https://scout.example.com/hooks/agentcred',
  },
  (object) =>
    v.pipe(
      object,
      v.forward(v.partialCheck([['feeModel'], ['feeAmount']], isPrice, PRICE_ERROR), ['feeAmount']),
    ),
)
constrain(AgentRegister, PRICES)

/** Body of PATCH /agents/{id}; null removes a value (RFC 7396). */
export const AgentPatch = body(
  'AgentPatch',
  'The fields to change. Unknown fields are rejected.',
  {
    status: [
      v.optional(v.picklist(agentStatuses)),
      'Owner: active or inactive. Operator: suspended, or inactive after a suspension.',
    ],
    reason: [v.optional(Name(1, 500)), 'Why it is suspended. Required for a suspension, rejected otherwise.'],
    feeModel: [
      v.optional(v.picklist(feeModels)),
      'How it charges later hires; requires feeAmount. Existing hires keep their price.',
    ],
    feeAmount: [v.optional(Amount), 'As in registration; requires feeModel.'],
    description: [
      v.optional(v.nullable(Description)),
      `One line of at most ${MAX_DESCRIPTION_LENGTH} characters; null removes it.`,
    ],
    apiEndpoint: [v.optional(v.nullable(ApiEndpoint)), 'http or https; null removes it.'],
    apiProtocol: [v.optional(v.nullable(ApiProtocol)), 'As in registration; null removes it.'],
    webhookUrl: [
      v.optional(v.nullable(WebhookUrl)),
      'As in registration; null removes it. Any URL enables a disabled webhook and sends its held deliveries.',
    ],
    logoUrl: [v.optional(v.nullable(LogoUrl)), 'http, https, ipfs or ar; null removes it.'],
  },
  { description: 'Finds staking yield and moves into it, every morning.' },
  (object) =>
    v.pipe(
      object,
      v.minEntries(1, 'must change at least one field'),
      v.forward(v.partialCheck([['status'], ['reason']], isReasonGiven, REASON_ERROR), ['reason']),
      v.forward(
        v.partialCheck(
          [['feeModel'], ['feeAmount']],
          ({ feeModel, feeAmount }) => (feeModel === undefined) === (feeAmount === undefined),
          'must be set together with feeModel',
        ),
        ['feeAmount'],
      ),
      v.forward(v.partialCheck([['feeModel'], ['feeAmount']], isPrice, PRICE_ERROR), ['feeAmount']),
    ),
)
constrain(AgentPatch, {
  dependentRequired: { feeModel: ['feeAmount'], feeAmount: ['feeModel'], reason: ['status'] },
  dependentSchemas: { feeModel: PRICES, status: REASON_GIVEN },
})

export const AgentPath = parameters({ id: [Uuid, 'The agent.'] }, { id: AGENT_ID })

const IDLE_WORDS =
  'An agent is idle after 30 days without a login of its owner, a new hire or a payment, unless its owner is verified. The next login, hire or payment ends that. Without `layer` and `q`, idle agents are listed, too.'

const MAX_QUERY_LENGTH = 200

/** The filters of GET /agents, except `layer` and `owner`. */
const agentFilters = {
  status: [
    v.optional(v.picklist([...agentStatuses, 'all']), 'active'),
    'Only agents with this status; `all` for every agent.',
  ],
  agentType: [v.optional(v.picklist(agentTypes)), 'Only agents of this type.'],
  feeModel: [v.optional(v.picklist(feeModels)), 'Only agents with this fee model.'],
  q: [
    v.optional(Query(1, MAX_QUERY_LENGTH)),
    `What you need, in your own words (“summaries of a text”), or a name. First come agents whose name begins with it, or in which each of its words begins a word of the name, description, type or layers. Then come agents with all of its first eight significant English words in any form, best first. If none match: agents with some of these words (\`close\`). Idle agents (see \`layer\`) are not found. ${SEARCH_WORDS}`,
  ],
  minReputation: [v.optional(IntegerParameter(0, 100)), 'Only agents with at least this reputationScore.'],
  ...agentEndpointFilters,
  priced: [
    v.optional(Yes),
    'Only agents that sell single requests (`requests`). Their order is that of `sort`, never by price.',
  ],
  maxRequestPrice: [
    v.optional(AmountParameter),
    'Only agents that sell some request for at most this, in lamports of CRED (`requests.from`).',
  ],
} as const

/** Query of GET /agents/counts. */
export const AgentCountsQuery = parameters(agentFilters, { q: 'yield', minReputation: '40' })

/** Query of GET /agents. */
export const AgentListQuery = parameters(
  {
    ...agentFilters,
    layer: [
      v.optional(IntegerParameter(FIRST_LAYER, LAST_LAYER)),
      `Only agents that support this capture layer and are not idle. ${IDLE_WORDS}`,
    ],
    owner: [
      v.optional(WalletAddress),
      'Only agents of this wallet; with `status=all`, all that it has registered.',
    ],
    sort: [
      v.optional(v.picklist(agentSorts), 'reputation'),
      '`reputation`: by reputationScore, highest first, then newest first. `newest`: last registered first. `rating`: as if one more payer of full weight had given 3. `hires`: by totalHires. `price`: by feeAmount, lowest first, percentages last. With `q` and no `sort`, what a need finds is by how well it matches.',
    ],
    ...pageFields,
  },
  { layer: '17', q: 'yield', minReputation: '40', limit: '50' },
)
