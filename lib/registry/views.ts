import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type {
  EntryRemoval,
  RegisteredAgent,
  RegisteredAgentList,
  Registration,
  RegistrationMessage,
  ServiceManifest,
} from '../../schema/wire/registry.ts'
import { agentEndpointView, type WithAgentEndpoint } from '../liveness/views.ts'
import type { prepareMessage } from './prepare.ts'
import type { PublicEntry, ReadRegisteredAgent } from './queries.ts'

/** The status of every manifest: declared by its operator, not verified. */
export const MANIFEST_STATUS = { declaredBy: 'operator', verified: false } as const

/** Makes a RegisteredAgent, without its contactEmail, which only the service uses. */
export const registeredAgentView = (row: PublicEntry & WithAgentEndpoint): Wire<typeof RegisteredAgent> => ({
  pubkey: row.pubkey,
  name: row.name,
  agentType: row.agentType,
  capabilities: row.capabilities,
  layers: row.layers,
  feeModel: row.feeModel,
  feeAmount: row.feeAmount ?? undefined,
  description: row.description ?? undefined,
  website: row.website ?? undefined,
  logoUrl: row.logoUrl ?? undefined,
  apiEndpoint: row.apiEndpoint ?? undefined,
  apiProtocol: row.apiProtocol ?? undefined,
  endpoint: agentEndpointView(row),
  developerPubkey: row.developerPubkey ?? undefined,
  serviceManifest: row.serviceManifest === null ? undefined : manifestView(row.serviceManifest),
  serviceManifestStatus: row.serviceManifest === null ? undefined : MANIFEST_STATUS,
  // Removed entries are never shown.
  status: row.status === 'suspended' ? 'suspended' : 'active',
  statusReason: row.statusReason ?? undefined,
  timestamp: row.timestamp,
  registeredAt: row.registeredAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const manifestView = ({
  authority,
  ...manifest
}: InferOutput<typeof ServiceManifest>): Wire<typeof ServiceManifest> => ({
  version: manifest.version,
  operationMode: manifest.operationMode,
  tenancy: manifest.tenancy,
  authority: {
    credentials: authority.credentials,
    state: authority.state,
    approvals: authority.approvals,
    audit: authority.audit,
    sensitiveActions: authority.sensitiveActions,
  },
  enterpriseDataBoundary: manifest.enterpriseDataBoundary,
  computePolicy: manifest.computePolicy,
})

export const registrationView = (agent: PublicEntry): Wire<typeof Registration> => ({
  agent: registeredAgentView(agent),
})

export const registeredAgentListView = (page: {
  agents: ReadRegisteredAgent[]
  nextCursor?: string
}): Wire<typeof RegisteredAgentList> => ({
  agents: page.agents.map(registeredAgentView),
  count: page.agents.length,
  nextCursor: page.nextCursor,
})

export const removalView = (pubkey: Wallet): Wire<typeof EntryRemoval> => ({ pubkey, status: 'removed' })

/**
 * Returns the message to sign for a registration, in two forms: `named` has the name of this deployment, and
 * `message` has none.
 */
export const messageView = (
  prepared: ReturnType<typeof prepareMessage>,
): Wire<typeof RegistrationMessage> => ({
  namedMessage: prepared.named.text,
  namedMessageBase64: prepared.named.bytes,
  message: prepared.plain.text,
  messageBase64: prepared.plain.bytes,
  serverTime: prepared.serverTime.toISOString(),
  skewMs: prepared.skewMs,
  missing: prepared.missing,
})
