import {
  RegisteredAgent,
  RegisteredAgentList,
  Registration,
  RegistrationMessage,
  RegistrationMessageRequest,
  RegistrationRequest,
  RegistryCatalog,
  ServiceManifest,
  ServiceManifestAuthority,
  ServiceManifestStatus,
} from '../../../schema/wire/registry.ts'
import { catalog } from '../../registry/catalog.ts'
import { registrationMessage } from '../../registry/message.ts'
import { OTHER_WALLET, SERVICE_MANIFEST, WALLET } from '../examples.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Registry' as const

const TIMESTAMP = 1_795_165_200_000

const agent = {
  pubkey: OTHER_WALLET,
  name: 'Ledger Keeper',
  agentType: 'defi',
  capabilities: ['portfolio', 'tax_optimization'],
  layers: [1, 4, 17, 19],
  feeModel: 'percentage',
  feeAmount: 250,
  apiEndpoint: 'https://keeper.example.com/mcp',
  developerPubkey: WALLET,
  serviceManifest: SERVICE_MANIFEST,
  serviceManifestStatus: { declaredBy: 'operator', verified: false },
  timestamp: TIMESTAMP,
  registeredAt: '2026-11-20T09:00:01.250Z',
  updatedAt: '2026-11-20T09:00:01.250Z',
}

const declaration = {
  name: agent.name,
  pubkey: agent.pubkey,
  timestamp: agent.timestamp,
  agentType: agent.agentType,
  capabilities: agent.capabilities,
  feeModel: agent.feeModel,
  feeAmount: agent.feeAmount,
  apiEndpoint: agent.apiEndpoint,
  developerPubkey: agent.developerPubkey,
  contactEmail: 'ops@keeper.example.com',
  serviceManifest: SERVICE_MANIFEST,
}

export const operations: Operations = {
  'POST /registry/agents': {
    id: 'registerSignedAgent',
    tag,
    summary: 'Register an agent by its own signature',
    description:
      'Needs no session: the body is signed with the agent’s key over the message that POST /registry/message shows. A later timestamp of the same key replaces its entry as a whole (200); the same or an earlier one is refused. The message covers neither name nor fee, so a signature counts once: the same body again, while its timestamp is timely and its entry the latest, gives the same answer (its first status too), another body is refused. The text may also be signed in Solana’s off-chain message envelope.',
    request: {
      ...declaration,
      signature: '2CDipZriGTV3sAQW7ncR1xVwRGw5S9TDXWpgzueUJvzrYmndwayU9XvFsWwAvrUE25EMYs9J6ogfwpyBm8kb1jSy',
    },
    responses: {
      200: { description: 'The entry, updated.', schema: 'Registration', example: { agent } },
      201: { description: 'The entry, new.', schema: 'Registration', example: { agent } },
    },
    errors: ['registration_refused', 'signature_used', 'registration_outdated', 'dependency_unavailable'],
  },
  'GET /registry/agents': {
    id: 'listRegisteredAgents',
    tag,
    summary: 'Find registered agents',
    description:
      'The latest registered key first. An update does not move an entry, so pages stay in order while agents are added and updated.',
    parameters: {
      agentType: { description: 'Only agents of this type.' },
      capability: { description: 'Only agents with this capability.' },
      layer: { description: 'Only agents with a capability of this capture layer.', example: 17 },
      limit: { description: 'At most this many agents; above 100 is served as 100.', example: 50 },
      cursor: { description: 'The `nextCursor` of the page before.' },
    },
    responses: {
      200: {
        description: 'One page of agents.',
        schema: 'RegisteredAgentList',
        example: { agents: [agent], count: 1 },
        headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'GET /registry/agents/{pubkey}': {
    id: 'getRegisteredAgent',
    tag,
    summary: 'One registered agent',
    description: 'As its latest signed registration has it.',
    parameters: { pubkey: { description: 'The agent’s public key.', example: OTHER_WALLET } },
    responses: { 200: { description: 'The agent.', schema: 'RegisteredAgent', example: agent } },
    errors: ['invalid_request', 'registration_not_found', 'dependency_unavailable'],
  },
  'GET /registry/catalog': {
    id: 'getRegistryCatalog',
    tag,
    summary: 'What a registration may say',
    description:
      'Agent types, fee models with their units, capabilities with their layers, the manifest, the message.',
    responses: { 200: { description: 'The catalog.', schema: 'RegistryCatalog', example: catalog } },
    errors: [],
  },
  'POST /registry/message': {
    id: 'prepareRegistration',
    tag,
    summary: 'The message to sign',
    description:
      'Takes a registration in the making: pubkey and timestamp must be there, and the serviceManifest if there will be one; other fields are checked if present. Stores nothing.',
    request: declaration,
    responses: {
      200: {
        description: 'The message, and what the registration still lacks.',
        schema: 'RegistrationMessage',
        example: {
          message: registrationMessage({ pubkey: OTHER_WALLET, timestamp: TIMESTAMP }),
          messageBase64: Buffer.from(
            registrationMessage({ pubkey: OTHER_WALLET, timestamp: TIMESTAMP }),
          ).toString('base64'),
          serverTime: '2026-11-20T09:00:00.250Z',
          skewMs: -250,
          missing: ['signature'],
        },
      },
    },
    errors: [],
  },
}

const registrationFields = {
  name: 'What it is called, 1 to 64 characters; names need not differ.',
  pubkey: 'The agent’s public key: Base58 of 32 bytes.',
  signature: 'Base58 Ed25519 signature of the registration message.',
  timestamp: 'Unix milliseconds, exactly as in the signed message, within five minutes of the server’s time.',
  agentType: 'What the agent is for; the catalog says what each type means.',
  capabilities: 'Ids from the catalog, at least one; duplicates are merged.',
  feeModel: 'What the fee is for.',
  feeAmount:
    'Basis points for `percentage`, lamports for `flat` and `subscription`; any number from 0 to 2^53-1, stored as declared.',
  description: 'Up to 2000 characters.',
  website: 'http or https URL.',
  logoUrl: 'http or https URL.',
  apiEndpoint: 'http or https URL of an endpoint for a tool-calling protocol.',
  developerPubkey: 'The developer’s wallet, as declared.',
  contactEmail: 'For the service alone; never shown.',
  serviceManifest: 'What its operator declares of its service. It is part of the signed message.',
}

export const components: Components = {
  ServiceManifestAuthority: {
    schema: ServiceManifestAuthority,
    description: 'Whose authority the agent acts on.',
    fields: {
      credentials: 'Whose credentials it uses.',
      state: 'Whose state it keeps.',
      approvals: 'What an approval is bound to.',
      audit: 'Whose audit trail it keeps.',
      sensitiveActions: 'How sensitive actions are reviewed.',
    },
  },
  ServiceManifest: {
    schema: ServiceManifest,
    description:
      'Agent Service Manifest v1: operator-declared, no proof of anything. Every part is required.',
    fields: {
      version: 'Of the manifest.',
      operationMode: 'When it works.',
      tenancy: 'For how many principals one instance works.',
      authority: 'Whose authority it acts on.',
      enterpriseDataBoundary:
        'What leaves an enterprise. company_hosted_no_raw_export affirms that a company-controlled integration exists and enforces that boundary.',
      computePolicy: 'What it may compute elsewhere.',
    },
  },
  ServiceManifestStatus: {
    schema: ServiceManifestStatus,
    description: 'What a shown manifest is.',
    fields: { declaredBy: 'Whose word it is.', verified: 'Nobody has verified it.' },
  },
  RegistrationRequest: {
    schema: RegistrationRequest,
    description: 'A signed registration. Unknown fields are refused.',
    fields: registrationFields,
  },
  RegistrationMessageRequest: {
    schema: RegistrationMessageRequest,
    description: 'A registration in the making. Unknown fields are refused.',
    fields: registrationFields,
  },
  RegistrationMessage: {
    schema: RegistrationMessage,
    description: 'What to sign.',
    fields: {
      message: 'The exact text.',
      messageBase64: 'Its UTF-8 bytes.',
      serverTime: 'To set a clock by.',
      skewMs: 'How far the timestamp lies ahead of the server’s time; negative when behind.',
      missing: 'Required fields that the registration still lacks.',
    },
  },
  RegisteredAgent: {
    schema: RegisteredAgent,
    description: 'An agent of the registry, as its latest signed registration has it.',
    fields: {
      pubkey: registrationFields.pubkey,
      name: 'What it is called.',
      agentType: registrationFields.agentType,
      capabilities: 'Ids from the catalog.',
      layers: 'The capture layers of its capabilities, ascending.',
      feeModel: registrationFields.feeModel,
      feeAmount: registrationFields.feeAmount,
      description: 'In its operator’s words.',
      website: registrationFields.website,
      logoUrl: registrationFields.logoUrl,
      apiEndpoint: registrationFields.apiEndpoint,
      developerPubkey: registrationFields.developerPubkey,
      serviceManifest: 'As its operator declares it.',
      serviceManifestStatus: 'What the manifest is; there whenever the manifest is.',
      timestamp: 'Unix milliseconds of the signed message.',
      registeredAt: 'When the key was first registered.',
      updatedAt: 'When the entry was last replaced.',
    },
  },
  Registration: {
    schema: Registration,
    description: 'A registration’s outcome.',
    fields: { agent: 'The entry.' },
  },
  RegisteredAgentList: {
    schema: RegisteredAgentList,
    description: 'One page of the registry.',
    fields: {
      agents: 'The latest registered key first.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
  },
  RegistryCatalog: {
    schema: RegistryCatalog,
    description: 'What a registration may say.',
    fields: {
      contractVersion: 'Of the registration contract.',
      agentTypes: 'With what each means.',
      feeModels: 'With what each means and the unit of feeAmount.',
      capabilities: 'With the capture layers that each stands for.',
      serviceManifest: 'The JSON Schema of Agent Service Manifest v1, and what a manifest is worth.',
      message:
        'The message to sign, with placeholders; the second part follows only if there is a manifest, which stands there in canonical form.',
    },
  },
}
