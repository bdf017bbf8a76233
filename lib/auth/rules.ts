import type { Wallet } from '../../schema/wallet.ts'
import { hasRole, type RoleSettings, rolePermissions } from '../session/rules.ts'
import type { Permission } from '../session/token.ts'

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

/** Lists what a session of this wallet may do. */
export const permissionsOf = (wallet: Wallet, settings: RoleSettings): Permission[] => [
  ...WALLET_PERMISSIONS,
  ...rolePermissions.filter((permission) => hasRole(settings, permission, wallet)),
]
