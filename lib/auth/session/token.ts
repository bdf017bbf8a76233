import {
  createLocalJWKSet,
  errors,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Permission } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import { memoized } from '../../runtime/cache.ts'

/** A session: its wallet, the wallet's session `epoch`, and the permissions of its token. */
export type Session = {
  wallet: Wallet
  epoch: number
  permissions: Permission[]
  agentId?: string
  /** The grant of an access token, by its id: the user's consent, which they may end. */
  grant?: string
  /** Unix milliseconds at which the token expires. */
  expiresAt: number
}

/** A session to issue; its epoch is 0 by default. */
type NewSession = Omit<Session, 'epoch' | 'expiresAt' | 'grant'> & { epoch?: number | undefined }

/** The access token of a grant: whom the grant's client may act for, and with which permissions. */
type NewAccess = {
  wallet: Wallet
  epoch: number
  permissions: Permission[]
  grant: string
  clientId: string
  /** The resource that takes the token (RFC 8707). */
  audience: string
  expiresAt: Date
}

const ISSUER = 'agentcred-auth'
const AUDIENCE = 'agentcred-api'
export const SESSION_TYPE = 'session+jwt'
export const ALGORITHM = 'EdDSA'
/** Lifetime of a session token. */
export const SESSION_SECONDS = 24 * 60 * 60

/**
 * Signs a session token (JWT, EdDSA, RFC 8037) that is valid for 24 hours.
 * @param signingKey a private Ed25519 JWK as JSON, with its `kid`
 * @returns the token and its expiry in Unix milliseconds
 */
export async function issueSession(signingKey: string, session: NewSession, now: Date) {
  const expiresAt = secondsOf(now) + SESSION_SECONDS
  const { epoch, permissions, agentId, wallet } = session
  const claims = { gen: epoch, permissions, ...(agentId === undefined ? {} : { agentId }) }
  const token = await sign(signingKey, { claims, audience: AUDIENCE, wallet, expiresAt }, now)
  return { token, expiresAt: expiresAt * 1000 }
}

/**
 * Signs the access token of a grant: a session token for one resource, with the grant and its client. It is
 * not valid anywhere else.
 * @param signingKey as for a session
 */
export async function issueAccessToken(signingKey: string, access: NewAccess, now: Date) {
  const { epoch, permissions, grant, clientId, audience, wallet } = access
  const claims = { gen: epoch, permissions, grant, client_id: clientId }
  const expiresAt = secondsOf(access.expiresAt)
  return { token: await sign(signingKey, { claims, audience, wallet, expiresAt }, now) }
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

/** @param parts `expiresAt` in Unix seconds */
async function sign(
  signingKey: string,
  parts: { claims: JWTPayload; audience: string; wallet: Wallet; expiresAt: number },
  now: Date,
): Promise<string> {
  const { kid, key } = await importKey(signingKey)
  return new SignJWT(parts.claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: SESSION_TYPE, ...(kid === undefined ? {} : { kid }) })
    .setIssuer(ISSUER)
    .setAudience(parts.audience)
    .setSubject(parts.wallet)
    .setJti(uuidv7({ msecs: now.getTime() }))
    .setIssuedAt(secondsOf(now))
    .setExpirationTime(parts.expiresAt)
    .sign(key)
}

/** Imports the key once per isolate, because importing takes longer than signing. */
export const importKey = /* @__PURE__ */ memoized(1, async (signingKey) => {
  const jwk: JWK = JSON.parse(signingKey)
  return { kid: jwk.kid, key: await importJWK(jwk, ALGORITHM) }
})

/** Returns the token of a header Authorization; undefined if it has another scheme. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]

/**
 * Checks a session token against the published keys, without I/O. During a rotation the set has two keys with
 * different `kid`. The session's statements check whether it was revoked (lib/db/session.ts).
 * @param jwks the public keys as JSON (RFC 7517)
 * @param resource also accepts access tokens of this resource, which must name their grant
 * @throws ApiError token_invalid for every kind of invalid token
 */
export async function verifySession(
  jwks: string,
  token: string,
  now: Date,
  resource?: string,
): Promise<Session> {
  try {
    const { payload } = await jwtVerify(token, keySet(jwks), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      typ: SESSION_TYPE,
      requiredClaims: ['sub', 'aud', 'exp', 'permissions'],
      currentDate: now,
    })
    const { agentId, aud, gen, grant, exp } = payload
    // Exactly one audience: jose accepts a list, with which an access token would be valid everywhere.
    if (aud !== (typeof grant === 'string' ? resource : AUDIENCE)) throw new errors.JWTInvalid('audience')
    return {
      wallet: payload.sub as Wallet,
      epoch: typeof gen === 'number' ? gen : 0,
      permissions: payload.permissions as Permission[],
      expiresAt: Number(exp) * 1000,
      ...(typeof agentId === 'string' ? { agentId } : {}),
      ...(typeof grant === 'string' ? { grant } : {}),
    }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    const expired = error instanceof errors.JWTExpired
    throw new ApiError(
      'token_invalid',
      expired ? 'The session token has expired; log in again.' : 'The session token is not valid.',
      { challenge: { error: 'invalid_token' }, cause: error },
    )
  }
}

/** Imports keys once per isolate and key set, because importing takes longer than verifying. */
const keySets = new Map<string, ReturnType<typeof createLocalJWKSet>>()

export function keySet(jwks: string) {
  let keys = keySets.get(jwks)
  if (!keys) {
    keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet)
    keySets.set(jwks, keys)
  }
  return keys
}
