import * as v from 'valibot'
import { agentStatuses, agentTypes, feeModels, hireStatuses } from '../values.ts'
import { isWebhookUrl } from '../webhook-url.ts'
import {
  Amount,
  FIRST_LAYER,
  Integer,
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

export const AgentPath = v.object({ id: Uuid })

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

/** Body of POST /agents/hire. */
export const HireRequest = v.strictObject({
  agentId: Uuid,
  layers: v.optional(Layers),
  budgetLimit: v.optional(Amount),
  autoRenew: v.optional(v.boolean(), false),
  expiresInDays: v.optional(Integer(1, 365), 30),
})

/** Query of DELETE /agents/hire. */
export const HireQuery = v.object({ id: Uuid })

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

/** What the owner alone sees, in the answers to registering and changing the agent. */
export const OwnAgent = v.strictObject({
  ...Agent.entries,
  webhookUrl: v.optional(v.string()),
  webhookDisabledAt: v.optional(Timestamp),
})

export const AgentList = v.strictObject({
  agents: v.array(Agent),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

export const Hire = v.strictObject({
  id: WireUuid,
  agent: Agent,
  layersEnabled: v.array(v.pipe(v.number(), v.integer())),
  budgetLimit: v.optional(WireAmount),
  autoRenew: v.boolean(),
  status: v.picklist(hireStatuses),
  hiredAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: v.optional(Timestamp),
})

export const HireList = v.strictObject({
  hires: v.array(Hire),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
