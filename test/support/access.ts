import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { issueAccessToken } from '../../lib/auth/session/token.ts'
import type { Permission } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { storeGrant } from './grants.ts'
import type { Service } from './service.ts'
import { openDatabaseOf } from './service-database.ts'

/** The origin of the service in wrangler.toml, which tests have. */
export const ORIGIN = 'https://api.agentcred.example'

const HOUR_MS = 3_600_000

/** Stores a grant of a wallet, and issues an access token of it as the auth Worker does. */
export async function grantAccess(
  service: Service,
  wallet: string,
  permissions: Permission[] = ['agents:hire'],
): Promise<{ token: string; grant: string; authorization: string }> {
  const now = new Date(service.clock.now())
  const { db, close } = await openDatabaseOf(service)
  const grant = await storeGrant(db, wallet as Wallet, now).finally(close)
  const access = {
    wallet: wallet as Wallet,
    epoch: 0,
    permissions,
    grant,
    clientId: 'https://app.example.com',
  }
  const lasting = { audience: `${ORIGIN}/v1/mcp`, expiresAt: new Date(now.getTime() + 4 * HOUR_MS) }
  const { token } = await issueAccessToken(service.keys.SESSION_SIGNING_KEY, { ...access, ...lasting }, now)
  return { token, grant, authorization: `Bearer ${token}` }
}

/** Signs a token of a wallet with the service's key, in which anything may be different. */
export async function signToken(
  service: Service,
  claims: JWTPayload,
  header: Record<string, string> = {},
): Promise<string> {
  const jwk = JSON.parse(service.keys.SESSION_SIGNING_KEY)
  const seconds = Math.floor(service.clock.now() / 1000)
  return new SignJWT({
    iss: 'agentcred-auth',
    aud: `${ORIGIN}/v1/mcp`,
    grant: crypto.randomUUID(),
    permissions: ['agents:hire'],
    iat: seconds,
    exp: seconds + 3_600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'session+jwt', kid: jwk.kid, ...header })
    .sign(await importJWK(jwk, 'EdDSA'))
}
