import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { OTHER_WALLET, WALLET } from '../../examples.ts'
import { capabilities, registryAgentTypes, registryFeeModels } from '../../registry.ts'
import { AgentEndpointState } from '../agents/endpoint.ts'
import { OwnText, OwnValue, UserText } from '../answer-text.ts'
import { body, pageOf } from '../body.ts'
import { ApiProtocol, Timestamp } from '../common.ts'
import { manifestExample, registrationFields, ServiceManifest } from './requests.ts'

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
  registeredAgentExample,
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
