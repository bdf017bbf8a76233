import { type GrantablePermission, grantablePermissions, type Permission } from '../../../schema/values.ts'

/** The scopes of OAuth: `read` alone lets a client read what its wallet may, and is no permission. */
export const SCOPES = ['read', ...grantablePermissions] as const

/**
 * Returns the permissions of a scope that a client asks for. Unknown ones are ignored, as RFC 6749 allows;
 * without a scope a client may only read.
 * @param scope names separated by blanks
 */
export function permissionsOfScope(scope: string | undefined): GrantablePermission[] {
  const names = new Set<string>(scope?.split(' '))
  return grantablePermissions.filter((permission) => names.has(permission))
}

/** Returns the scope of a token with these permissions, in a fixed order. */
export const scopeOf = (permissions: readonly Permission[]): string =>
  SCOPES.filter((scope) => scope === 'read' || permissions.includes(scope)).join(' ')
