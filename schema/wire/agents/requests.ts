import * as v from 'valibot'
import { constrain, whenFits } from '../../docs.ts'
import { AGENT_ID } from '../../examples.ts'
import { agentSorts, agentStatuses, agentTypes, feeModels } from '../../values.ts'
import { body, pageFields, parameters } from '../body.ts'
import {
  Amount,
  AmountParameter,
  API_PROTOCOL,
  ApiProtocol,
  FIRST_LAYER,
  IntegerParameter,
  LAST_LAYER,
  Layers,
  Url,
  Uuid,
  WalletAddress,
} from '../common.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from '../suspension.ts'
import { Name, Query, SEARCH_WORDS } from '../text.ts'
import { WebhookUrl } from '../webhooks/url.ts'
import { agentEndpointFilters } from './endpoint.ts'

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

const Yes = v.pipe(
  v.literal('true'),
  v.transform(() => true as const),
)

/** Query of GET /agents. */
export const AgentListQuery = parameters(
  {
    status: [
      v.optional(v.picklist([...agentStatuses, 'all']), 'active'),
      'Only agents with this status; `all` for every agent.',
    ],
    layer: [
      v.optional(IntegerParameter(FIRST_LAYER, LAST_LAYER)),
      `Only agents that support this capture layer and are not idle. ${IDLE_WORDS}`,
    ],
    agentType: [v.optional(v.picklist(agentTypes)), 'Only agents of this type.'],
    feeModel: [v.optional(v.picklist(feeModels)), 'Only agents with this fee model.'],
    owner: [
      v.optional(WalletAddress),
      'Only agents of this wallet; with `status=all`, all that it has registered.',
    ],
    q: [
      v.optional(Query(1, 32)),
      `Only agents that are not idle (see \`layer\`) and match: the name begins with this text in any case, or each of its words begins a word of the name, description, type or layers. ${SEARCH_WORDS}`,
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
    sort: [
      v.optional(v.picklist(agentSorts), 'reputation'),
      '`reputation`: by reputationScore, highest first, then newest first. `newest`: last registered first.',
    ],
    ...pageFields,
  },
  { layer: '17', q: 'yield', minReputation: '40', limit: '50' },
)
