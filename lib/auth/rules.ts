import type { Permission } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hasRole, type RoleSettings, rolePermissions } from './session/rules.ts'

/** Identifies the login protocol to clients (contract: AuthChallenge). */
export const PROTOCOL = 'agentcred-auth'
export const PROTOCOL_VERSION = '2.0.0'

/** How long a challenge may be answered. */
export const CHALLENGE_LIFETIME_MS = 300_000

const WALLET_PERMISSIONS: Permission[] = [
  'agents:register',
  'agents:hire',
  'agents:charge',
  'vault:transact',
  'reputation:attest',
  'reputation:verify',
]

/**
 * Lists what a session of this wallet may do.
 * @param asked leaves out everything else; what the wallet has not is not given for the asking
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
