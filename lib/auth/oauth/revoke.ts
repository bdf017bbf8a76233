import type { InferOutput } from 'valibot'
import type { RevocationRequest } from '../../../schema/wire/oauth/tokens.ts'
import { ApiError } from '../../api-error.ts'
import { endGrant } from '../grants/queries.ts'
import { mcpResource } from '../session/resource.ts'
import { verifySession } from '../session/token.ts'
import type { ExchangeDeps, RefreshClaims } from './exchange.ts'
import { readToken } from './tokens.ts'

/**
 * Ends the grant of a refresh token or an access token. Any other text changes nothing and is no error
 * (RFC 7009, 2.2).
 * @throws ApiError rate_limited
 */
export async function revokeToken(
  deps: ExchangeDeps,
  { token }: InferOutput<typeof RevocationRequest>,
): Promise<void> {
  const named = await grantOf(deps, token)
  await deps.countCall(named ? { grant: named.id } : {})
  if (named) await endGrant(deps.db, { ...named, now: deps.now })
}

async function grantOf(deps: ExchangeDeps, token: string) {
  const refresh = await readToken<RefreshClaims>(deps, 'refresh', token)
  if (refresh) return { id: refresh.grant, wallet: refresh.sub }
  try {
    const session = await verifySession(deps.jwks, token, deps.now, mcpResource(deps.apiOrigin))
    return session.grant === undefined ? undefined : { id: session.grant, wallet: session.wallet }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
