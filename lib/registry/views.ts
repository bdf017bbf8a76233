import type { Wallet } from '../../schema/wallet.ts'
import type { Wire } from '../../schema/wire/common.ts'
import {
  type EntryRemoval,
  RegisteredAgent,
  type Registration,
  type RegistrationMessage,
} from '../../schema/wire/registry.ts'
import { answer } from '../answer.ts'
import { agentEndpointRow, type WithAgentEndpoint } from '../liveness/views.ts'
import type { prepareMessage } from './prepare.ts'
import type { PublicEntry } from './queries.ts'

/** The status of every manifest: declared by its operator, not verified. */
export const MANIFEST_STATUS = { declaredBy: 'operator', verified: false } as const

/** Returns the row of a RegisteredAgent. Its contactEmail is in no answer: only the service uses it. */
export const registeredAgentRow = (entry: PublicEntry & WithAgentEndpoint) => ({
  ...entry,
  endpoint: agentEndpointRow(entry),
  serviceManifestStatus: entry.serviceManifest && MANIFEST_STATUS,
  // Removed entries are never shown.
  status: entry.status === 'suspended' ? ('suspended' as const) : ('active' as const),
})

/** Makes a RegisteredAgent. */
export const registeredAgentView = (entry: PublicEntry & WithAgentEndpoint): Wire<typeof RegisteredAgent> =>
  answer(RegisteredAgent, registeredAgentRow(entry))

export const registrationView = (agent: PublicEntry): Wire<typeof Registration> => ({
  agent: registeredAgentView(agent),
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
