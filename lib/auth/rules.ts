import type { Permission } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hasRole, type RoleSettings, rolePermissions } from './session/rules.ts'

/** Identifies the login protocol in AuthChallenge. */
export const PROTOCOL = 'agentcred-auth'
export const PROTOCOL_VERSION = '2.0.0'

/** How long a challenge may be answered. */
export const CHALLENGE_LIFETIME_MS = 300_000

const WALLET_PERMISSIONS: Permission[] = [
  'agents:register',
  'agents:hire',
  'agents:charge',
  'vault:transact',
  'jobs:use',
  'jobs:decide',
  'jobs:judge',
  'reputation:attest',
  'reputation:verify',
]

/**
 * Lists the permissions of a new session of this wallet.
 * @param asked limits the session to these; the wallet's own permissions limit it too
 */
export const permissionsOf = (
  wallet: Wallet,
  settings: RoleSettings,
  asked?: readonly Permission[],
): Permission[] =>
  [
    ...WALLET_PERMISSIONS,
    ...rolePermissions.filter((permission) => hasRole(settings, permission, wallet)),
  ].filter((permission) => asked?.includes(permission) ?? true)
