import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Wallet } from '../../../schema/wallet.ts'
import { ALGORITHM, importKey, keySet, SESSION_TYPE } from '../session/token.ts'

/**
 * The signed texts of OAuth besides access tokens. Each type is refused as any other: nothing is stored, and
 * a forgery costs no statement.
 */
const KINDS = ['client', 'request', 'code', 'refresh', 'key'] as const
type Kind = (typeof KINDS)[number]

/** What the client id of an agent's key holds: its wallet, its grant, and the key in Base58. */
export type KeyClaims = { sub: Wallet; grant: string; key: string }

/** The key that signs, and the public keys that may have signed. */
export type SigningDeps = { signingKey: string; jwks: string; apiOrigin: string; now: Date }

/**
 * Signs a token (JWT, EdDSA). Two tokens with the same claims and times are equal.
 * @param times in Unix seconds; a token without `expiresAt` is valid while its key is
 */
export async function signToken(
  { signingKey, apiOrigin }: SigningDeps,
  kind: Kind,
  claims: JWTPayload,
  times: { issuedAt: number; expiresAt?: number },
): Promise<string> {
  const { kid, key } = await importKey(signingKey)
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: `${kind}+jwt`, ...(kid === undefined ? {} : { kid }) })
    .setIssuer(apiOrigin)
    .setIssuedAt(times.issuedAt)
  if (times.expiresAt !== undefined) token.setExpirationTime(times.expiresAt)
  return token.sign(key)
}

/**
 * Checks a token without I/O.
 * @returns its claims; undefined for any token that is not valid now, and for one of another kind
 */
export async function readToken<Claims extends JWTPayload>(
  { jwks, apiOrigin, now }: SigningDeps,
  kind: Kind,
  token: string,
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify<Claims>(token, keySet(jwks), {
      algorithms: [ALGORITHM],
      issuer: apiOrigin,
      typ: `${kind}+jwt`,
      currentDate: now,
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Returns whether a header's `typ`, which may be anything, is one of this service's own tokens. */
export const isOwnType = (type: unknown): boolean =>
  [SESSION_TYPE, ...KINDS.map((kind) => `${kind}+jwt`)].includes(
    String(type).toLowerCase().replace('application/', ''),
  )

/** Returns a time in Unix seconds, as tokens have it. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)
