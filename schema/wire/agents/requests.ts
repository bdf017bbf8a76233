import * as v from 'valibot'
import { constrain, describe, describeParameters, whenFits } from '../../docs.ts'
import { AGENT_ID } from '../../examples.ts'
import { agentSorts, agentStatuses, agentTypes, feeModels } from '../../values.ts'
import {
  Amount,
  AmountParameter,
  API_PROTOCOL,
  ApiProtocol,
  Cursor,
  FIRST_LAYER,
  IntegerParameter,
  LAST_LAYER,
  Layers,
  PageLimit,
  Url,
  Uuid,
  WalletAddress,
} from '../common.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from '../suspension.ts'
import { Name, Query, SEARCH_WORDS } from '../text.ts'
import { WebhookUrl } from '../webhooks/url.ts'
import { agentEndpointFilters, agentEndpointFilterWords } from './endpoint.ts'

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

/** Body of POST /agents/register. */
export const AgentRegister = v.pipe(
  v.strictObject({
    name: Name(3, 32),
    description: v.optional(Description),
    agentType: v.picklist(agentTypes),
    supportedLayers: Layers,
    feeModel: v.optional(v.picklist(feeModels), 'percentage'),
    feeAmount: v.optional(Amount, DEFAULT_FEE_BPS),
    apiEndpoint: v.optional(ApiEndpoint),
    apiProtocol: v.optional(ApiProtocol),
    webhookUrl: v.optional(WebhookUrl),
    logoUrl: v.optional(LogoUrl),
  }),
  v.forward(v.partialCheck([['feeModel'], ['feeAmount']], isPrice, PRICE_ERROR), ['feeAmount']),
)

// A body without feeModel has the default, percentage.
const PRICES = whenFits(
  { properties: { feeModel: { type: 'string', const: 'percentage' } } },
  { properties: { feeAmount: { type: 'integer', maximum: Number(MAX_FEE_BPS) } } },
)
if (PRICES) constrain(AgentRegister, PRICES)

describe(AgentRegister, {
  name: 'AgentRegister',
  description: 'A new agent. Unknown fields are rejected.',
  fields: {
    name: '3 to 32 characters (code points) after trimming.',
    description: `What it does, in one line of at most ${MAX_DESCRIPTION_LENGTH} characters.`,
    agentType: 'How far it acts on its own.',
    supportedLayers: 'Layer numbers 1 to 22, at least one; duplicates are removed.',
    feeModel: 'How it charges.',
    feeAmount: 'Basis points for `percentage` (at most 10000), lamports otherwise.',
    apiEndpoint: 'http or https.',
    apiProtocol: API_PROTOCOL,
    webhookUrl:
      'Where its events are sent. Public https on port 443: no credentials, IP addresses, private names, or this service’s own.',
    logoUrl: 'http, https, ipfs or ar.',
  },
  example: {
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
})

/** Body of PATCH /agents/{id}; null removes a value (RFC 7396). */
export const AgentPatch = v.pipe(
  v.strictObject({
    status: v.optional(v.picklist(agentStatuses)),
    reason: v.optional(Name(1, 500)),
    feeModel: v.optional(v.picklist(feeModels)),
    feeAmount: v.optional(Amount),
    description: v.optional(v.nullable(Description)),
    apiEndpoint: v.optional(v.nullable(ApiEndpoint)),
    apiProtocol: v.optional(v.nullable(ApiProtocol)),
    webhookUrl: v.optional(v.nullable(WebhookUrl)),
    logoUrl: v.optional(v.nullable(LogoUrl)),
  }),
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
)
if (PRICES)
  constrain(AgentPatch, {
    dependentRequired: { feeModel: ['feeAmount'], feeAmount: ['feeModel'], reason: ['status'] },
    dependentSchemas: { feeModel: PRICES, status: REASON_GIVEN },
  })

describe(AgentPatch, {
  name: 'AgentPatch',
  description: 'The fields to change. Unknown fields are rejected.',
  fields: {
    status: 'Owner: active or inactive. Operator: suspended, or inactive after a suspension.',
    reason: 'Why it is suspended. Required for a suspension, rejected otherwise.',
    feeModel: 'How it charges later hires; requires feeAmount. Existing hires keep their price.',
    feeAmount: 'As in registration; requires feeModel.',
    description: `One line of at most ${MAX_DESCRIPTION_LENGTH} characters; null removes it.`,
    apiEndpoint: 'http or https; null removes it.',
    apiProtocol: 'As in registration; null removes it.',
    webhookUrl:
      'As in registration; null removes it. Any URL enables a disabled webhook and sends its held deliveries.',
    logoUrl: 'http, https, ipfs or ar; null removes it.',
  },
  example: { description: 'Finds staking yield and moves into it, every morning.' },
})

export const AgentPath = v.object({ id: Uuid })

describeParameters(AgentPath, { id: 'The agent.' }, { id: AGENT_ID })

const IDLE_WORDS =
  'An agent is idle after 30 days without a login of its owner, a new hire or a payment, unless its owner is verified. The next login, hire or payment ends that. Without `layer` and `q`, idle agents are listed, too.'

const Yes = v.pipe(
  v.literal('true'),
  v.transform(() => true as const),
)

/** Query of GET /agents. */
export const AgentListQuery = v.object({
  status: v.optional(v.picklist([...agentStatuses, 'all']), 'active'),
  layer: v.optional(IntegerParameter(FIRST_LAYER, LAST_LAYER)),
  agentType: v.optional(v.picklist(agentTypes)),
  feeModel: v.optional(v.picklist(feeModels)),
  owner: v.optional(WalletAddress),
  q: v.optional(Query(1, 32)),
  minReputation: v.optional(IntegerParameter(0, 100)),
  ...agentEndpointFilters,
  priced: v.optional(Yes),
  maxRequestPrice: v.optional(AmountParameter),
  sort: v.optional(v.picklist(agentSorts), 'reputation'),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(
  AgentListQuery,
  {
    status: 'Only agents with this status; `all` for every agent.',
    layer: `Only agents that support this capture layer and are not idle. ${IDLE_WORDS}`,
    agentType: 'Only agents of this type.',
    feeModel: 'Only agents with this fee model.',
    owner: 'Only agents of this wallet; with `status=all`, all that it has registered.',
    q: `Only agents that are not idle (see \`layer\`) and match: the name begins with this text in any case, or each of its words begins a word of the name, description, type or layers. ${SEARCH_WORDS}`,
    minReputation: 'Only agents with at least this reputationScore.',
    ...agentEndpointFilterWords,
    priced:
      'Only agents that sell single requests (`requests`). Their order is that of `sort`, never by price.',
    maxRequestPrice:
      'Only agents that sell some request for at most this, in lamports of CRED (`requests.from`).',
    sort: '`reputation`: by reputationScore, highest first, then newest first. `newest`: last registered first.',
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { layer: '17', q: 'yield', minReputation: '40', limit: '50' },
)
