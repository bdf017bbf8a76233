import type { Wallet } from '../../schema/wallet.ts'
import type { Permission } from '../session/token.ts'

/** Identifies the login protocol to clients (contract: AuthChallenge). */
export const PROTOCOL = 'agentcred-auth'
export const PROTOCOL_VERSION = '2.0.0'

/** How long a challenge may be answered. */
export const CHALLENGE_LIFETIME_MS = 300_000

const WALLET_PERMISSIONS: Permission[] = [
  'agents:register',
  'agents:hire',
  'vault:transact',
  'reputation:attest',
  'reputation:verify',
]

/** The wallets that a deployment trusts with more, as configured: Base58, separated by commas. */
export type TrustedWallets = { oracleWallets: string; operatorWallets: string }

/** Lists what a session of this wallet may do. */
export function permissionsOf(wallet: Wallet, trusted: TrustedWallets): Permission[] {
  const permissions = [...WALLET_PERMISSIONS]
  if (includes(trusted.oracleWallets, wallet)) permissions.push('oracle:decide')
  if (includes(trusted.operatorWallets, wallet)) permissions.push('agents:moderate')
  return permissions
}

const includes = (list: string, wallet: Wallet) => list.split(',').some((entry) => entry.trim() === wallet)
