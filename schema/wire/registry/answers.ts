import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { OTHER_WALLET, WALLET } from '../../examples.ts'
import { capabilities, registryAgentTypes, registryFeeModels } from '../../registry.ts'
import { AgentEndpointState } from '../agents/endpoint.ts'
import { OwnText, OwnValue, UserText } from '../answer-text.ts'
import { ApiProtocol, Timestamp } from '../common.ts'
import { manifestExample, registrationFields, ServiceManifest } from './requests.ts'

/** The status of every shown manifest. */
const ServiceManifestStatus = v.strictObject({
  declaredBy: v.literal('operator'),
  verified: v.literal(false),
})

describe(ServiceManifestStatus, {
  name: 'ServiceManifestStatus',
  description: 'How far the manifest is verified.',
  fields: { declaredBy: 'Who declared it.', verified: 'Nobody has verified it.' },
})

export const RegistrationMessage = v.strictObject({
  namedMessage: OwnText,
  namedMessageBase64: OwnText,
  message: OwnText,
  messageBase64: OwnText,
  serverTime: Timestamp,
  skewMs: v.pipe(v.number(), v.integer()),
  missing: v.array(OwnText),
})

describe(RegistrationMessage, {
  name: 'RegistrationMessage',
  description: 'What to sign.',
  fields: {
    namedMessage: 'The exact text to sign. It names this deployment, so the signature is valid only here.',
    namedMessageBase64: 'Its UTF-8 bytes.',
    message:
      'The text of the contract, which names no deployment. Anyone who receives the signature can use it at any deployment for five minutes.',
    messageBase64: 'Its UTF-8 bytes.',
    serverTime: 'The server’s time.',
    skewMs: 'How far the timestamp is ahead of the server’s time; negative when behind.',
    missing: 'Required fields that the registration still lacks.',
  },
})

const LayerNumbers = v.array(v.pipe(v.number(), v.integer()))

export const RegisteredAgent = v.strictObject({
  pubkey: OwnText,
  name: UserText,
  agentType: v.picklist(registryAgentTypes),
  capabilities: v.array(v.picklist(capabilities)),
  layers: LayerNumbers,
  feeModel: v.picklist(registryFeeModels),
  feeAmount: v.optional(v.pipe(v.number(), v.minValue(0))),
  description: v.optional(UserText),
  website: v.optional(UserText),
  logoUrl: v.optional(UserText),
  apiEndpoint: v.optional(UserText),
  apiProtocol: v.optional(ApiProtocol),
  endpoint: v.optional(AgentEndpointState),
  developerPubkey: v.optional(OwnText),
  serviceManifest: v.optional(ServiceManifest),
  serviceManifestStatus: v.optional(ServiceManifestStatus),
  status: v.picklist(['active', 'suspended']),
  statusReason: v.optional(UserText),
  timestamp: v.pipe(v.number(), v.integer()),
  registeredAt: Timestamp,
  updatedAt: Timestamp,
})

const registeredAgentExample: v.InferInput<typeof RegisteredAgent> = {
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
}

describe(RegisteredAgent, {
  name: 'RegisteredAgent',
  description: 'An agent of the registry, as its latest signed registration has it.',
  fields: {
    pubkey: registrationFields.pubkey,
    name: 'Its name.',
    agentType: registrationFields.agentType,
    capabilities: 'Ids from the catalog.',
    layers: 'The capture layers of its capabilities, ascending.',
    feeModel: registrationFields.feeModel,
    feeAmount: registrationFields.feeAmount,
    description: 'In its operator’s words.',
    website: registrationFields.website,
    logoUrl: registrationFields.logoUrl,
    apiEndpoint: registrationFields.apiEndpoint,
    apiProtocol: registrationFields.apiProtocol,
    endpoint:
      'The result of the last probe of the endpoint. Only when the registry is read, and only with an apiProtocol.',
    developerPubkey: registrationFields.developerPubkey,
    serviceManifest: 'As its operator declares it.',
    serviceManifestStatus: 'How far the manifest is verified; present when the manifest is.',
    status: 'A suspended agent is in no list.',
    statusReason: 'Why an operator suspended it.',
    timestamp: 'Unix milliseconds of the signed message.',
    registeredAt: 'When the key was first registered.',
    updatedAt: 'When the entry was last replaced.',
  },
  example: registeredAgentExample,
})

export const Registration = v.strictObject({ agent: RegisteredAgent })

describe(Registration, {
  name: 'Registration',
  description: 'A registration’s outcome.',
  fields: { agent: 'The entry.' },
  example: { agent: registeredAgentExample },
})

export const EntryRemoval = v.strictObject({ pubkey: OwnText, status: v.literal('removed') })

describe(EntryRemoval, {
  name: 'EntryRemoval',
  description: 'An entry that was removed.',
  fields: { pubkey: 'Its key, which cannot register again.', status: 'Removed.' },
  example: { pubkey: OTHER_WALLET, status: 'removed' },
})

export const RegisteredAgentList = v.strictObject({
  agents: v.array(RegisteredAgent),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(RegisteredAgentList, {
  name: 'RegisteredAgentList',
  description: 'One page of the registry.',
  fields: {
    agents: 'The latest registered key first.',
    count: 'Number of agents on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { agents: [registeredAgentExample], count: 1 },
})

export const RegistryCatalog = v.strictObject({
  contractVersion: OwnText,
  agentTypes: v.array(v.strictObject({ id: v.picklist(registryAgentTypes), meaning: OwnText })),
  feeModels: v.array(
    v.strictObject({
      id: v.picklist(registryFeeModels),
      meaning: OwnText,
      unit: v.optional(OwnText),
    }),
  ),
  capabilities: v.array(v.strictObject({ id: v.picklist(capabilities), layers: LayerNumbers })),
  apiProtocols: v.array(ApiProtocol),
  serviceManifest: v.strictObject({
    version: v.pipe(v.number(), v.integer()),
    ...ServiceManifestStatus.entries,
    notice: OwnText,
    schema: v.record(v.string(), OwnValue),
  }),
  message: v.strictObject({
    namedTemplate: OwnText,
    template: OwnText,
    manifestTemplate: OwnText,
    canonicalization: OwnText,
    signature: OwnText,
    timestampToleranceMs: v.pipe(v.number(), v.integer()),
  }),
})
describe(RegistryCatalog, {
  name: 'RegistryCatalog',
  description: 'What a registration may say.',
  fields: {
    contractVersion: 'Of the registration contract.',
    agentTypes: 'With what each means.',
    feeModels: 'With what each means and the unit of feeAmount.',
    capabilities: 'With the capture layers that each stands for.',
    apiProtocols: 'The allowed protocols of apiEndpoint.',
    serviceManifest: 'The JSON Schema of Agent Service Manifest v1, and how far a manifest is verified.',
    message:
      'The message to sign, with placeholders: `namedTemplate` with the origin of this deployment, `template` as the contract has it. The second part follows only if there is a manifest, and contains it in canonical form.',
  },
})
