import { ApiError } from '../api-error.ts'
import { permissionsOfScope, scopeOf } from '../auth/oauth/scopes.ts'
import { mcpResource } from '../auth/session/resource.ts'
import { bearerOf, type Session, verifySession } from '../auth/session/token.ts'
import { catalog } from './catalog.ts'

/**
 * The addresses of this server, below /v1. `/mcp` is open: only some tools need a token. `/mcp/wallet` needs
 * one for every request, because some clients offer to log in only then.
 */
export type McpPath = '/mcp' | '/mcp/wallet'

/** How tokens are checked: the public keys of sessions, and the origin of this server. */
export type Access = { jwks: string; origin: string }

/** A request's headers, and its session if it has a token. */
export type Caller = { headers: Headers; session: Session | undefined }

/** The permissions that clients ask for at first: enough for most tools, and a user may refuse them. */
const FIRST_PERMISSIONS = ['agents:hire'] as const

const METADATA_PATH = '/.well-known/oauth-protected-resource/v1'

/** Returns an address as a protected resource of OAuth (RFC 9728). */
export const protectedResource = (origin: string, path: McpPath) => ({
  resource: `${origin}/v1${path}`,
  resource_name: catalog.server.title,
  authorization_servers: [origin],
  scopes_supported: scopeOf(FIRST_PERMISSIONS).split(' '),
  bearer_methods_supported: ['header' as const],
})

/**
 * Checks the token of a request, without I/O.
 * @throws ApiError token_invalid; token_missing at an address that needs a token
 */
export async function readCaller(
  { jwks, origin }: Access,
  { path, headers, now }: { path: McpPath; headers: Headers; now: Date },
): Promise<Caller> {
  const token = bearerOf(headers)
  if (token !== undefined)
    return { headers, session: await verifySession(jwks, token, now, mcpResource(origin)) }
  if (path === '/mcp/wallet') throw tokenMissing(scopeOf(FIRST_PERMISSIONS))
  return { headers, session: undefined }
}

/**
 * Checks that a session may use a tool, before anything is sent. Permissions that no grant can have are left
 * to the Worker behind the tool: no consent of the user would help.
 * @throws ApiError token_missing, permission_missing; each with the scope to ask the user for
 */
export function requireAccess(tool: string, session: Session | undefined): void {
  const needed = catalog.permissions[tool]
  if (needed === undefined) return
  const grantable = permissionsOfScope(needed.join(' ')).slice(0, 1)
  if (session === undefined) throw tokenMissing(scopeOf(grantable))
  const { permissions } = session
  if (grantable.length === 0 || needed.some((permission) => permissions.includes(permission))) return
  throw new ApiError('permission_missing', `This tool needs the permission ${needed.join(' or ')}.`, {
    // Clients ask for exactly this scope, so it also has the permissions that the token has.
    challenge: { error: 'insufficient_scope', scope: scopeOf([...permissions, ...grantable]) },
  })
}

const tokenMissing = (scope: string) =>
  new ApiError('token_missing', 'Send an access token or a session token: Authorization: Bearer <token>.', {
    challenge: { scope },
  })

/** Adds to an error about a token where the client can get one. */
export function withMetadata(error: unknown, { origin }: Access, path: McpPath): unknown {
  if (!(error instanceof ApiError) || error.details.challenge === undefined) return error
  const { code, message, details } = error
  const challenge = { ...details.challenge, resource_metadata: `${origin}${METADATA_PATH}${path}` }
  return new ApiError(code, message, { ...details, challenge })
}
