import type { Permission } from '../../../schema/values.ts'

/** The permissions that a grant may have. A grant never has a role, and never changes agents or credentials. */
const GRANTABLE = ['agents:hire', 'agents:charge', 'vault:transact'] as const satisfies readonly Permission[]

/** The scopes of OAuth: `read` alone lets a client read what its wallet may, and is no permission. */
export const SCOPES = ['read', ...GRANTABLE] as const

/**
 * Returns the permissions of a scope that a client asks for. Unknown ones are ignored, as RFC 6749 allows;
 * without a scope a client may only read.
 * @param scope names separated by blanks
 */
export function permissionsOfScope(scope: string | undefined): (typeof GRANTABLE)[number][] {
  const names = new Set<string>(scope?.split(' '))
  return GRANTABLE.filter((permission) => names.has(permission))
}

/** Returns the scope of a token with these permissions, in a fixed order. */
export const scopeOf = (permissions: readonly Permission[]): string =>
  SCOPES.filter((scope) => scope === 'read' || permissions.includes(scope)).join(' ')
