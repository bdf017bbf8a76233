import * as v from 'valibot'
import { AGENT_ID, OTHER_WALLET } from '../examples.ts'
import { agentStatuses, agentTypes, feeModels } from '../values.ts'
import { isWebhookUrl } from '../webhook-url.ts'
import { describe, describeParameters } from '../words.ts'
import {
  Amount,
  FIRST_LAYER,
  IntegerParameter,
  LAST_LAYER,
  Layers,
  Name,
  PageLimit,
  Text,
  Timestamp,
  Url,
  Uuid,
  WireAmount,
  WireUuid,
} from './common.ts'

const DEFAULT_FEE_BPS = 500
const MAX_FEE_BPS = 10_000n

const ApiEndpoint = Url('http', 'https')
const LogoUrl = Url('http', 'https', 'ipfs', 'ar')
const WebhookUrl = v.pipe(
  Text,
  v.check(isWebhookUrl, 'must be a public https URL on port 443, without credentials or an IP address'),
)

/** Body of POST /agents/register. */
export const AgentRegister = v.pipe(
  v.strictObject({
    name: Name(3, 32),
    agentType: v.picklist(agentTypes),
    supportedLayers: Layers,
    feeModel: v.optional(v.picklist(feeModels), 'percentage'),
    feeAmount: v.optional(Amount, DEFAULT_FEE_BPS),
    apiEndpoint: v.optional(ApiEndpoint),
    webhookUrl: v.optional(WebhookUrl),
    logoUrl: v.optional(LogoUrl),
  }),
  v.forward(
    v.partialCheck(
      [['feeModel'], ['feeAmount']],
      ({ feeModel, feeAmount }) => feeModel !== 'percentage' || feeAmount <= MAX_FEE_BPS,
      'must be at most 10000 basis points when feeModel is percentage',
    ),
    ['feeAmount'],
  ),
)

if (WORDS)
  describe(AgentRegister, {
    name: 'AgentRegister',
    description: 'A new agent. Unknown fields are refused.',
    fields: {
      name: '3 to 32 characters (code points) after trimming.',
      agentType: 'How far it acts on its own.',
      supportedLayers: 'Layer numbers 1 to 22, at least one; duplicates are merged.',
      feeModel: 'How it charges.',
      feeAmount: 'Basis points for `percentage` (at most 10000), lamports otherwise.',
      apiEndpoint: 'http or https.',
      webhookUrl:
        'Where its events are sent. Public https on port 443: no credentials, IP addresses, private names, or this service’s own.',
      logoUrl: 'http, https, ipfs or ar.',
    },
    example: {
      name: 'Yield Scout',
      agentType: 'autonomous',
      supportedLayers: [10, 17],
      feeModel: 'percentage',
      feeAmount: 500,
      apiEndpoint: 'https://scout.example.com/api',
      webhookUrl: 'https://scout.example.com/hooks/agentcred',
    },
  })

/** Body of PATCH /agents/{id}; null removes a URL (RFC 7396). */
export const AgentPatch = v.pipe(
  v.strictObject({
    status: v.optional(v.picklist(agentStatuses)),
    reason: v.optional(Name(1, 500)),
    apiEndpoint: v.optional(v.nullable(ApiEndpoint)),
    webhookUrl: v.optional(v.nullable(WebhookUrl)),
    logoUrl: v.optional(v.nullable(LogoUrl)),
  }),
  v.check((patch) => Object.keys(patch).length > 0, 'must change at least one field'),
  v.forward(
    v.partialCheck(
      [['status'], ['reason']],
      ({ status, reason }) => (status === 'suspended') === (reason !== undefined),
      'is required when an agent is suspended, and only then',
    ),
    ['reason'],
  ),
)

if (WORDS)
  describe(AgentPatch, {
    name: 'AgentPatch',
    description: 'The fields to change. Unknown fields are refused.',
    fields: {
      status: 'Owner: active or inactive. Operator: suspended, or inactive after a suspension.',
      reason: 'Why it is suspended; required then, refused otherwise.',
      apiEndpoint: 'http or https; null removes it.',
      webhookUrl:
        'As in registration; null removes it. Any value enables a disabled webhook and sends what was held.',
      logoUrl: 'http, https, ipfs or ar; null removes it.',
    },
    example: { status: 'inactive' },
  })

export const AgentPath = v.object({ id: Uuid })

if (WORDS) describeParameters(AgentPath, { id: 'The agent.' }, { id: AGENT_ID })

/** Query of GET /agents. */
export const AgentListQuery = v.object({
  status: v.optional(v.picklist([...agentStatuses, 'all']), 'active'),
  layer: v.optional(IntegerParameter(FIRST_LAYER, LAST_LAYER)),
  agentType: v.optional(v.picklist(agentTypes)),
  feeModel: v.optional(v.picklist(feeModels)),
  q: v.optional(Name(1, 32)),
  minReputation: v.optional(IntegerParameter(0, 100)),
  limit: PageLimit,
  cursor: v.optional(v.string()),
})

if (WORDS)
  describeParameters(
    AgentListQuery,
    {
      status: 'Only agents of this status; `all` for every one.',
      layer: 'Only agents that support this capture layer.',
      agentType: 'Only agents of this type.',
      feeModel: 'Only agents with this fee model.',
      q: 'Only agents whose name begins with this, in any case.',
      minReputation: 'Only agents with at least this reputationScore.',
      limit: 'At most this many agents; above 100 is served as 100.',
      cursor: 'The `nextCursor` of the page before.',
    },
    { layer: '17', q: 'yield', minReputation: '40', limit: '50' },
  )

export const Agent = v.strictObject({
  id: WireUuid,
  pubkey: v.string(),
  name: v.string(),
  agentType: v.picklist(agentTypes),
  supportedLayers: v.array(v.pipe(v.number(), v.integer())),
  feeModel: v.picklist(feeModels),
  feeAmount: WireAmount,
  reputationScore: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  totalHires: v.pipe(v.number(), v.integer(), v.minValue(0)),
  status: v.picklist(agentStatuses),
  statusReason: v.optional(v.string()),
  apiEndpoint: v.optional(v.string()),
  logoUrl: v.optional(v.string()),
  registeredAt: Timestamp,
})

const agentFields = {
  id: 'UUID.',
  pubkey: 'The owning wallet.',
  name: 'Name, 3 to 32 characters.',
  agentType: 'How far it acts on its own.',
  supportedLayers: 'Capture layers, ascending.',
  feeModel: 'How it charges.',
  feeAmount: 'Basis points for `percentage`, lamports otherwise.',
  reputationScore:
    '0 to 100: how surely hires by other wallets reach the end of their first term, as 100 times the lower bound of the 95 % Wilson interval of those that did, among those that did or were terminated before; 0 before the first.',
  totalHires: 'Hires so far.',
  status: 'Only an active agent can be hired.',
  statusReason: 'Why an operator suspended it.',
  apiEndpoint: 'Where the agent is reached.',
  logoUrl: 'Its logo.',
  registeredAt: 'When it was registered.',
}

export const agentExample: v.InferInput<typeof Agent> = {
  id: AGENT_ID,
  pubkey: OTHER_WALLET,
  name: 'Yield Scout',
  agentType: 'autonomous',
  supportedLayers: [10, 17],
  feeModel: 'percentage',
  feeAmount: 500,
  reputationScore: 0,
  totalHires: 1,
  status: 'active',
  apiEndpoint: 'https://scout.example.com/api',
  logoUrl: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  registeredAt: '2026-11-20T09:00:00.000Z',
}

if (WORDS)
  describe(Agent, {
    name: 'Agent',
    description: 'An agent on the marketplace.',
    fields: agentFields,
    example: agentExample,
  })

/** What the owner alone sees, in the answers to registering and changing the agent. */
export const OwnAgent = v.strictObject({
  ...Agent.entries,
  webhookUrl: v.optional(v.string()),
  webhookDisabledAt: v.optional(Timestamp),
})

if (WORDS)
  describe(OwnAgent, {
    name: 'OwnAgent',
    description: 'An agent as its owner sees it.',
    fields: {
      ...agentFields,
      webhookUrl: 'Where its events are sent; shown to nobody else.',
      webhookDisabledAt:
        'Since when nothing is sent there, because it answered 410, or nothing with 2xx for five days.',
    },
    example: { ...agentExample, totalHires: 0, webhookUrl: 'https://scout.example.com/hooks/agentcred' },
  })

export const AgentList = v.strictObject({
  agents: v.array(Agent),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

if (WORDS)
  describe(AgentList, {
    name: 'AgentList',
    description: 'One page of agents.',
    fields: {
      agents: 'In the list’s order.',
      count: 'Number of agents in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { agents: [agentExample], count: 1 },
  })
