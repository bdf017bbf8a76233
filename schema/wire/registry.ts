import * as v from 'valibot'
import { constrain, describe, exampleOf } from '../docs.ts'
import { OTHER_WALLET, WALLET } from '../examples.ts'
import { BASE58_OF_64_BYTES } from '../patterns.ts'
import {
  capabilities,
  LAST_REGISTRY_LAYER,
  manifestValues,
  registryAgentTypes,
  registryFeeModels,
} from '../registry.ts'
import { AgentEndpointState, agentEndpointFilters } from './agents.ts'
import { OwnText, OwnValue, UserText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import {
  API_PROTOCOL,
  ApiProtocol,
  FIRST_LAYER,
  Integer,
  IntegerParameter,
  Signature,
  Timestamp,
  Url,
  WalletAddress,
} from './common.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from './suspension.ts'
import { Name, Prose, Query, SEARCH_WORDS } from './text.ts'

const MAX_NAME_LENGTH = 64
const MAX_DESCRIPTION_LENGTH = 2000
/** The longest address by RFC 5321. */
const MAX_EMAIL_LENGTH = 254

const { authority } = manifestValues

const ServiceManifestAuthority = body('ServiceManifestAuthority', 'Whose authority the agent acts on.', {
  credentials: [v.picklist(authority.credentials), 'Whose credentials it uses.'],
  state: [v.picklist(authority.state), 'Whose state it keeps.'],
  approvals: [v.picklist(authority.approvals), 'What an approval is bound to.'],
  audit: [v.picklist(authority.audit), 'Whose audit trail it keeps.'],
  sensitiveActions: [v.picklist(authority.sensitiveActions), 'How sensitive actions are reviewed.'],
})

export const manifestExample: v.InferInput<typeof ServiceManifest> = {
  version: 1,
  operationMode: 'on_demand',
  tenancy: 'single_principal',
  authority: {
    credentials: 'per_principal',
    state: 'per_principal',
    approvals: 'per_principal_transaction_bound',
    audit: 'per_principal',
    sensitiveActions: 'transaction_specific_review',
  },
  enterpriseDataBoundary: 'not_applicable',
  computePolicy: 'disabled',
}

/** Agent Service Manifest v1. Exactly these parts are required, since all of it is signed. */
export const ServiceManifest = body(
  'ServiceManifest',
  'Agent Service Manifest v1: declared by the operator, not verified. Every part is required.',
  {
    version: [v.picklist(manifestValues.version), 'Of the manifest.'],
    operationMode: [v.picklist(manifestValues.operationMode), 'When it operates.'],
    tenancy: [v.picklist(manifestValues.tenancy), 'How many principals one instance serves.'],
    authority: [ServiceManifestAuthority, 'Whose authority it acts on.'],
    enterpriseDataBoundary: [
      v.picklist(manifestValues.enterpriseDataBoundary),
      'What leaves an enterprise. company_hosted_no_raw_export affirms that a company-controlled integration exists and enforces that boundary.',
    ],
    computePolicy: [v.picklist(manifestValues.computePolicy), 'What it may compute elsewhere.'],
  },
)

const EmailAddress = v.pipe(
  v.string(),
  v.maxCodePoints(MAX_EMAIL_LENGTH),
  v.regex(
    /^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@[A-Za-z0-9]+([.-][A-Za-z0-9]+)*\.[A-Za-z]{2,}$/,
    'must be an e-mail address',
  ),
)

const HttpUrl = Url('http', 'https')

/** Unix milliseconds, exactly as signed. A fraction or an inexact integer can't have been signed. */
const SignedTimestamp = Integer(0)

/** An example of a registration, from the message to the signed body without the signature. */
export const declarationExample: v.InferInput<typeof RegistrationMessageRequest> &
  Omit<v.InferInput<typeof RegistrationRequest>, 'signature'> = {
  name: 'Ledger Keeper',
  pubkey: OTHER_WALLET,
  timestamp: 1_795_165_200_000,
  agentType: 'defi',
  capabilities: ['portfolio', 'tax_optimization'],
  feeModel: 'percentage',
  feeAmount: 250,
  apiEndpoint: 'https://keeper.example.com/mcp',
  apiProtocol: 'mcp',
  developerPubkey: WALLET,
  contactEmail: 'ops@keeper.example.com',
  serviceManifest: manifestExample,
}

export const registrationFields = {
  name: 'Its name, 1 to 64 characters; names need not be unique.',
  pubkey: 'The agent’s public key: Base58 of 32 bytes.',
  signature: 'Base58 Ed25519 signature of the registration message.',
  timestamp: 'Unix milliseconds, exactly as in the signed message, within five minutes of the server’s time.',
  agentType: 'What the agent is for; the catalog says what each type means.',
  capabilities: 'Ids from the catalog, at least one; duplicates are removed.',
  feeModel: 'What the fee is for.',
  feeAmount:
    'Basis points for `percentage`, lamports for `flat` and `subscription`; any number from 0 to 2^53-1, stored as declared.',
  description: 'Up to 2000 characters.',
  website: 'http or https URL.',
  logoUrl: 'http or https URL.',
  apiEndpoint: 'http or https URL of an endpoint for a tool-calling protocol.',
  apiProtocol: API_PROTOCOL,
  developerPubkey: 'The developer’s wallet, as declared.',
  contactEmail: 'For the service only; never shown.',
  serviceManifest: 'The operator’s declarations about the service. They are part of the signed message.',
}

/** The fields of a signed registration. The signature covers some: `message` of GET /registry/catalog. */
export const RegistrationRequest = v.strictObject({
  name: Name(1, MAX_NAME_LENGTH),
  pubkey: WalletAddress,
  signature: Signature,
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
  description: v.optional(Prose(MAX_DESCRIPTION_LENGTH)),
  website: v.optional(HttpUrl),
  logoUrl: v.optional(HttpUrl),
  apiEndpoint: v.optional(HttpUrl),
  apiProtocol: v.optional(ApiProtocol),
  developerPubkey: v.optional(WalletAddress),
  contactEmail: v.optional(EmailAddress),
  serviceManifest: v.optional(ServiceManifest),
})

describe(RegistrationRequest, {
  name: 'RegistrationRequest',
  description: 'A signed registration. Unknown fields are rejected.',
  fields: registrationFields,
  example: {
    ...declarationExample,
    signature: '2CDipZriGTV3sAQW7ncR1xVwRGw5S9TDXWpgzueUJvzrYmndwayU9XvFsWwAvrUE25EMYs9J6ogfwpyBm8kb1jSy',
  },
})

/** Body of POST /registry/message: a registration; only the signed fields are required. */
export const RegistrationMessageRequest = v.strictObject({
  ...v.partial(RegistrationRequest).entries,
  pubkey: WalletAddress,
  timestamp: SignedTimestamp,
  // Checked by the schema, since nothing verifies the signature here.
  signature: v.optional(v.pipe(v.string(), v.regex(BASE58_OF_64_BYTES, 'must be Base58 of 64 bytes'))),
})

describe(RegistrationMessageRequest, {
  name: 'RegistrationMessageRequest',
  description: 'An incomplete registration. Unknown fields are rejected.',
  fields: registrationFields,
  example: declarationExample,
})

/** Path of an entry of the registry. */
export const RegisteredAgentPath = parameters(
  { pubkey: [WalletAddress, 'The agent’s public key.'] },
  { pubkey: OTHER_WALLET },
)

/** Body of PATCH /registry/agents/{pubkey}. */
export const EntryPatch = body(
  'EntryPatch',
  'An operator’s change. Unknown fields are rejected.',
  {
    status: [v.picklist(['active', 'suspended']), 'A suspended agent is in no list.'],
    reason: [v.optional(Name(1, 500)), 'Why it is suspended. Required for a suspension, rejected otherwise.'],
  },
  { status: 'suspended', reason: 'Phishing' },
  (object) =>
    v.pipe(
      object,
      v.forward(v.partialCheck([['status'], ['reason']], isReasonGiven, REASON_ERROR), ['reason']),
    ),
)

constrain(EntryPatch, REASON_GIVEN)

/** Query of GET /registry/agents. */
export const RegisteredAgentListQuery = parameters(
  {
    agentType: [v.optional(v.picklist(registryAgentTypes)), 'Only agents of this type.'],
    capability: [v.optional(v.picklist(capabilities)), 'Only agents with this capability.'],
    layer: [
      v.optional(IntegerParameter(FIRST_LAYER, LAST_REGISTRY_LAYER)),
      'Only agents with a capability of this capture layer.',
    ],
    q: [
      v.optional(Query(1, 32)),
      `Only agents that match: each word of the query begins a word of the name, description, type or capabilities. ${SEARCH_WORDS}`,
    ],
    ...agentEndpointFilters,
    ...pageFields,
  },
  { layer: '17', limit: '50' },
)

/** The status of every shown manifest. */
const ServiceManifestStatus = body('ServiceManifestStatus', 'How far the manifest is verified.', {
  declaredBy: [v.literal('operator'), 'Who declared it.'],
  verified: [v.literal(false), 'Nobody has verified it.'],
})

export const RegistrationMessage = body('RegistrationMessage', 'What to sign.', {
  namedMessage: [
    OwnText,
    'The exact text to sign. It names this deployment, so the signature is valid only here.',
  ],
  namedMessageBase64: [OwnText, 'Its UTF-8 bytes.'],
  message: [
    OwnText,
    'The text of the contract, which names no deployment. Anyone who receives the signature can use it at any deployment for five minutes.',
  ],
  messageBase64: [OwnText, 'Its UTF-8 bytes.'],
  serverTime: [Timestamp, 'The server’s time.'],
  skewMs: [
    v.pipe(v.number(), v.integer()),
    'How far the timestamp is ahead of the server’s time; negative when behind.',
  ],
  missing: [v.array(OwnText), 'Required fields that the registration still lacks.'],
})

const LayerNumbers = v.array(v.pipe(v.number(), v.integer()))

export const RegisteredAgent = body(
  'RegisteredAgent',
  'An agent of the registry, as its latest signed registration has it.',
  {
    pubkey: [OwnText, registrationFields.pubkey],
    name: [UserText, 'Its name.'],
    agentType: [v.picklist(registryAgentTypes), registrationFields.agentType],
    capabilities: [v.array(v.picklist(capabilities)), 'Ids from the catalog.'],
    layers: [LayerNumbers, 'The capture layers of its capabilities, ascending.'],
    feeModel: [v.picklist(registryFeeModels), registrationFields.feeModel],
    feeAmount: [v.optional(v.pipe(v.number(), v.minValue(0))), registrationFields.feeAmount],
    description: [v.optional(UserText), 'In its operator’s words.'],
    website: [v.optional(UserText), registrationFields.website],
    logoUrl: [v.optional(UserText), registrationFields.logoUrl],
    apiEndpoint: [v.optional(UserText), registrationFields.apiEndpoint],
    apiProtocol: [v.optional(ApiProtocol), registrationFields.apiProtocol],
    endpoint: [
      v.optional(AgentEndpointState),
      'The result of the last probe of the endpoint. Only when the registry is read, and only with an apiProtocol.',
    ],
    developerPubkey: [v.optional(OwnText), registrationFields.developerPubkey],
    serviceManifest: [v.optional(ServiceManifest), 'As its operator declares it.'],
    serviceManifestStatus: [
      v.optional(ServiceManifestStatus),
      'How far the manifest is verified; present when the manifest is.',
    ],
    status: [v.picklist(['active', 'suspended']), 'A suspended agent is in no list.'],
    statusReason: [v.optional(UserText), 'Why an operator suspended it.'],
    timestamp: [v.pipe(v.number(), v.integer()), 'Unix milliseconds of the signed message.'],
    registeredAt: [Timestamp, 'When the key was first registered.'],
    updatedAt: [Timestamp, 'When the entry was last replaced.'],
  },
  {
    pubkey: OTHER_WALLET,
    name: 'Ledger Keeper',
    agentType: 'defi',
    capabilities: ['portfolio', 'tax_optimization'],
    layers: [1, 4, 17, 19],
    feeModel: 'percentage',
    feeAmount: 250,
    apiEndpoint: 'https://keeper.example.com/mcp',
    apiProtocol: 'mcp',
    developerPubkey: WALLET,
    serviceManifest: manifestExample,
    serviceManifestStatus: { declaredBy: 'operator', verified: false },
    status: 'active',
    timestamp: 1_795_165_200_000,
    registeredAt: '2026-11-20T09:00:01.250Z',
    updatedAt: '2026-11-20T09:00:01.250Z',
  },
)

const registeredAgentExample = exampleOf(RegisteredAgent)

export const Registration = body(
  'Registration',
  'A registration’s outcome.',
  { agent: [RegisteredAgent, 'The entry.'] },
  { agent: registeredAgentExample },
)

export const EntryRemoval = body(
  'EntryRemoval',
  'An entry that was removed.',
  { pubkey: [OwnText, 'Its key, which cannot register again.'], status: [v.literal('removed'), 'Removed.'] },
  { pubkey: OTHER_WALLET, status: 'removed' },
)

export const RegisteredAgentList = pageOf(
  ['RegisteredAgentList', 'agents', 'One page of the registry.'],
  RegisteredAgent,
  ['The latest registered key first.', 'agents'],
)

export const RegistryCatalog = body('RegistryCatalog', 'What a registration may say.', {
  contractVersion: [OwnText, 'Of the registration contract.'],
  agentTypes: [
    v.array(v.strictObject({ id: v.picklist(registryAgentTypes), meaning: OwnText })),
    'With what each means.',
  ],
  feeModels: [
    v.array(
      v.strictObject({
        id: v.picklist(registryFeeModels),
        meaning: OwnText,
        unit: v.optional(OwnText),
      }),
    ),
    'With what each means and the unit of feeAmount.',
  ],
  capabilities: [
    v.array(v.strictObject({ id: v.picklist(capabilities), layers: LayerNumbers })),
    'With the capture layers that each stands for.',
  ],
  apiProtocols: [v.array(ApiProtocol), 'The allowed protocols of apiEndpoint.'],
  serviceManifest: [
    v.strictObject({
      version: v.pipe(v.number(), v.integer()),
      ...ServiceManifestStatus.entries,
      notice: OwnText,
      schema: v.record(v.string(), OwnValue),
    }),
    'The JSON Schema of Agent Service Manifest v1, and how far a manifest is verified.',
  ],
  message: [
    v.strictObject({
      namedTemplate: OwnText,
      template: OwnText,
      manifestTemplate: OwnText,
      canonicalization: OwnText,
      signature: OwnText,
      timestampToleranceMs: v.pipe(v.number(), v.integer()),
    }),
    'The message to sign, with placeholders: `namedTemplate` with the origin of this deployment, `template` as the contract has it. The second part follows only if there is a manifest, and contains it in canonical form.',
  ],
})
