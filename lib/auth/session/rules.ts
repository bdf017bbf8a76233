import type { Permission } from '../../../schema/values.ts'
import type { Session } from './token.ts'

/** The settings that list wallets with a role: Base58, comma separated, in each Worker that checks them. */
export type RoleSettings = { ORACLE_WALLETS?: string; OPERATOR_WALLETS?: string }

/** The setting that grants each permission of a role. */
const SETTING_OF = {
  'oracle:decide': 'ORACLE_WALLETS',
  'agents:moderate': 'OPERATOR_WALLETS',
} as const satisfies Partial<Record<Permission, keyof RoleSettings>>

type RolePermission = keyof typeof SETTING_OF

/** The permissions that need a role. */
export const rolePermissions = Object.keys(SETTING_OF) as RolePermission[]

/** Checks whether the settings grant a wallet a role's permission. */
export const hasRole = (settings: RoleSettings, permission: RolePermission, wallet: string): boolean =>
  (settings[SETTING_OF[permission]] ?? '').split(',').some((entry) => entry.trim() === wallet)

/**
 * Removes from a session the permissions of roles that its wallet has lost since it logged in, up to a day
 * ago. A Worker without the setting removes the permission from every session.
 */
export const allowedNow = (session: Session, settings: RoleSettings): Session => ({
  ...session,
  permissions: session.permissions.filter(
    (permission) => !isRole(permission) || hasRole(settings, permission, session.wallet),
  ),
})

const isRole = (permission: Permission): permission is RolePermission => permission in SETTING_OF
