import * as v from 'valibot'
import {
  capabilities,
  LAST_REGISTRY_LAYER,
  manifestValues,
  registryAgentTypes,
  registryFeeModels,
} from '../registry.ts'
import {
  FIRST_LAYER,
  Integer,
  IntegerParameter,
  Name,
  PageLimit,
  Text,
  Timestamp,
  Url,
  WalletAddress,
} from './common.ts'

const MAX_NAME_LENGTH = 64
const MAX_DESCRIPTION_LENGTH = 2000
/** RFC 5321 leaves no room for more. */
const MAX_EMAIL_LENGTH = 254

const { authority } = manifestValues

export const ServiceManifestAuthority = v.strictObject({
  credentials: v.picklist(authority.credentials),
  state: v.picklist(authority.state),
  approvals: v.picklist(authority.approvals),
  audit: v.picklist(authority.audit),
  sensitiveActions: v.picklist(authority.sensitiveActions),
})

/** Agent Service Manifest v1. Every part is required and none may be added: all of it is signed. */
export const ServiceManifest = v.strictObject({
  version: v.picklist(manifestValues.version),
  operationMode: v.picklist(manifestValues.operationMode),
  tenancy: v.picklist(manifestValues.tenancy),
  authority: ServiceManifestAuthority,
  enterpriseDataBoundary: v.picklist(manifestValues.enterpriseDataBoundary),
  computePolicy: v.picklist(manifestValues.computePolicy),
})

/** Text of several lines: line breaks and tabs are the only control characters in it. */
const Prose = v.pipe(
  v.string(),
  v.maxCodePoints(MAX_DESCRIPTION_LENGTH),
  v.check(
    (text) => text.isWellFormed() && !/(?![\n\r\t])[\p{Cc}\p{Bidi_Control}]/u.test(text),
    'must not contain control characters other than line breaks and tabs',
  ),
)

const HttpUrl = Url('http', 'https')

/** Unix milliseconds, exactly as signed: a fraction or an integer that is not exact can not have been. */
const SignedTimestamp = Integer(0)

/** The fields of a signed registration (interface sections 2 and 4.3). */
export const RegistrationRequest = v.strictObject({
  name: Name(1, MAX_NAME_LENGTH),
  pubkey: WalletAddress,
  signature: v.string(),
  timestamp: SignedTimestamp,
  agentType: v.picklist(registryAgentTypes),
  capabilities: v.pipe(
    v.array(v.picklist(capabilities)),
    v.minLength(1),
    v.maxLength(100),
    v.transform((ids) => [...new Set(ids)]),
  ),
  feeModel: v.picklist(registryFeeModels),
  feeAmount: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER))),
  description: v.optional(Prose),
  website: v.optional(HttpUrl),
  logoUrl: v.optional(HttpUrl),
  apiEndpoint: v.optional(HttpUrl),
  developerPubkey: v.optional(WalletAddress),
  contactEmail: v.optional(
    v.pipe(Text, v.maxCodePoints(MAX_EMAIL_LENGTH), v.email('must be an e-mail address')),
  ),
  serviceManifest: v.optional(ServiceManifest),
})

/** Body of POST /registry/message: a registration of which only what is signed must be there yet. */
export const RegistrationMessageRequest = v.strictObject({
  ...v.partial(RegistrationRequest).entries,
  pubkey: WalletAddress,
  timestamp: SignedTimestamp,
})

export const RegisteredAgentPath = v.object({ pubkey: WalletAddress })

/** Query of GET /registry/agents. */
export const RegisteredAgentListQuery = v.object({
  agentType: v.optional(v.picklist(registryAgentTypes)),
  capability: v.optional(v.picklist(capabilities)),
  layer: v.optional(IntegerParameter(FIRST_LAYER, LAST_REGISTRY_LAYER)),
  limit: PageLimit,
  cursor: v.optional(v.string()),
})

const LayerNumbers = v.array(v.pipe(v.number(), v.integer()))

/** What every shown manifest is. */
export const ServiceManifestStatus = v.strictObject({
  declaredBy: v.literal('operator'),
  verified: v.literal(false),
})

export const RegisteredAgent = v.strictObject({
  pubkey: v.string(),
  name: v.string(),
  agentType: v.picklist(registryAgentTypes),
  capabilities: v.array(v.picklist(capabilities)),
  layers: LayerNumbers,
  feeModel: v.picklist(registryFeeModels),
  feeAmount: v.optional(v.pipe(v.number(), v.minValue(0))),
  description: v.optional(v.string()),
  website: v.optional(v.string()),
  logoUrl: v.optional(v.string()),
  apiEndpoint: v.optional(v.string()),
  developerPubkey: v.optional(v.string()),
  serviceManifest: v.optional(ServiceManifest),
  serviceManifestStatus: v.optional(ServiceManifestStatus),
  timestamp: v.pipe(v.number(), v.integer()),
  registeredAt: Timestamp,
  updatedAt: Timestamp,
})

export const Registration = v.strictObject({ agent: RegisteredAgent })

export const RegisteredAgentList = v.strictObject({
  agents: v.array(RegisteredAgent),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

export const RegistrationMessage = v.strictObject({
  message: v.string(),
  messageBase64: v.string(),
  serverTime: Timestamp,
  skewMs: v.pipe(v.number(), v.integer()),
  missing: v.array(v.string()),
})

export const RegistryCatalog = v.strictObject({
  contractVersion: v.string(),
  agentTypes: v.array(v.strictObject({ id: v.picklist(registryAgentTypes), meaning: v.string() })),
  feeModels: v.array(
    v.strictObject({
      id: v.picklist(registryFeeModels),
      meaning: v.string(),
      unit: v.optional(v.string()),
    }),
  ),
  capabilities: v.array(v.strictObject({ id: v.picklist(capabilities), layers: LayerNumbers })),
  serviceManifest: v.strictObject({
    version: v.pipe(v.number(), v.integer()),
    ...ServiceManifestStatus.entries,
    notice: v.string(),
    schema: v.record(v.string(), v.unknown()),
  }),
  message: v.strictObject({
    template: v.string(),
    manifestTemplate: v.string(),
    canonicalization: v.string(),
    signature: v.string(),
    timestampToleranceMs: v.pipe(v.number(), v.integer()),
  }),
})
