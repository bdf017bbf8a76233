import { createLocalJWKSet, errors, importJWK, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose'
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
  /** The id of the grant, in a client's token. */
  grant?: string
  /** Unix milliseconds at which the token expires. */
  expiresAt: number
}

/** A session to issue; its epoch is 0 by default. */
type NewSession = Omit<Session, 'epoch' | 'expiresAt'> & { epoch?: number | undefined }

const ISSUER = 'agentcred-auth'
const AUDIENCE = 'agentcred-api'
const TYPE = 'session+jwt'
const ALGORITHM = 'EdDSA'
/** Lifetime of a session token. */
export const SESSION_SECONDS = 24 * 60 * 60

/**
 * Signs a session token (JWT, EdDSA, RFC 8037) that is valid for 24 hours.
 * @param signingKey a private Ed25519 JWK as JSON, with its `kid`
 * @returns the token and its expiry in Unix milliseconds
 */
export async function issueSession(signingKey: string, session: NewSession, now: Date) {
  const { kid, key } = await importKey(signingKey)
  const issuedAt = Math.floor(now.getTime() / 1000)
  const token = await new SignJWT({
    gen: session.epoch,
    permissions: session.permissions,
    ...(session.agentId === undefined ? {} : { agentId: session.agentId }),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, ...(kid === undefined ? {} : { kid }) })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(session.wallet)
    .setJti(uuidv7({ msecs: now.getTime() }))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + SESSION_SECONDS)
    .sign(key)
  return { token, expiresAt: (issuedAt + SESSION_SECONDS) * 1000 }
}

/** Imports the key once per isolate, because importing takes longer than signing. */
const importKey = /* @__PURE__ */ memoized(1, async (signingKey) => {
  const jwk: JWK = JSON.parse(signingKey)
  return { kid: jwk.kid, key: await importJWK(jwk, ALGORITHM) }
})

/**
 * Checks a session token against the published keys, without I/O. During a rotation the set has two keys with
 * different `kid`. The session's statements check whether it was revoked (lib/db/session.ts).
 * @param jwks the public keys as JSON (RFC 7517)
 * @throws ApiError token_invalid for every kind of invalid token
 */
export async function verifySession(jwks: string, token: string, now: Date): Promise<Session> {
  try {
    const { payload } = await jwtVerify(token, keySet(jwks), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['sub', 'exp', 'permissions'],
      currentDate: now,
    })
    const { agentId, gen, exp } = payload
    return {
      wallet: payload.sub as Wallet,
      epoch: typeof gen === 'number' ? gen : 0,
      permissions: payload.permissions as Permission[],
      expiresAt: Number(exp) * 1000,
      ...(typeof agentId === 'string' ? { agentId } : {}),
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

function keySet(jwks: string) {
  let keys = keySets.get(jwks)
  if (!keys) {
    keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet)
    keySets.set(jwks, keys)
  }
  return keys
}
