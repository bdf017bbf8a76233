import { base64urlnopad } from '@scure/base'
import { decodeJwt, errors, importJWK, jwtVerify } from 'jose'
import type { InferOutput } from 'valibot'
import { publicKeyBytes } from '../../../schema/wallet.ts'
import type { TokenRequest } from '../../../schema/wire/oauth/tokens.ts'
import { ApiError } from '../../api-error.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import { ALGORITHM } from '../session/token.ts'
import { ASSERTION_SECONDS, CLOCK_TOLERANCE_SECONDS } from './rules.ts'
import { isOwnType, type KeyClaims, readToken, type SigningDeps, secondsOf } from './tokens.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const MAX_JTI = 255

/** A proven assertion: its client id, and what to spend so that it works once. */
type Assertion = KeyClaims & { nonce: string; nonceExpiresAt: Date }

/**
 * Checks the assertion of an agent's key (RFC 7523, `private_key_jwt`) without I/O. It is a JWT for this
 * service alone, signed by the key that its client id holds.
 * @returns undefined for every assertion that is not valid now
 */
export async function readAssertion(
  deps: SigningDeps,
  request: InferOutput<typeof TokenRequest>,
): Promise<Assertion | undefined> {
  const { client_assertion: text = '', client_assertion_type: type, client_id: named } = request
  if (type !== ASSERTION_TYPE) return undefined
  try {
    const clientId = decodeJwt(text).sub ?? ''
    const client = await readToken<KeyClaims>(deps, 'key', clientId)
    if (!client || (named !== undefined && named !== clientId)) return undefined
    const claims = await verify(deps, text, { clientId, key: client.key })
    if (!claims) return undefined
    const expiresAt = Math.ceil(claims.exp) + CLOCK_TOLERANCE_SECONDS
    return {
      ...client,
      nonce: await sha256Hex(`${client.grant} ${claims.jti}`),
      nonceExpiresAt: new Date(expiresAt * 1000),
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The error for an assertion that is not valid, or was used. */
export const assertionRefused = (): ApiError =>
  new ApiError(
    'invalid_client',
    'The client assertion is not valid. Sign a new one with the allowed key and the service’s time (its Date header), or have the wallet allow the key again.',
    { errors: [{ path: 'client_assertion', message: 'is not valid' }] },
  )

/**
 * @param client.clientId the subject of the assertion
 * @throws JOSEError for a wrong signature, issuer or time
 */
async function verify(
  { apiOrigin, now }: SigningDeps,
  text: string,
  client: { clientId: string; key: string },
): Promise<{ exp: number; jti: string } | undefined> {
  const x = base64urlnopad.encode(publicKeyBytes(client.key) ?? new Uint8Array())
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, ALGORITHM)
  const { payload, protectedHeader } = await jwtVerify(text, key, {
    algorithms: [ALGORITHM],
    issuer: client.clientId,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  })
  const { aud, iat = 0, jti } = payload
  const exp = Number(payload.exp)
  const latest = secondsOf(now) + CLOCK_TOLERANCE_SECONDS
  // One audience: jose accepts a list, with which another service that gets the assertion could use it here.
  if (aud !== apiOrigin || exp > latest + ASSERTION_SECONDS || iat > latest) return undefined
  if (isOwnType(protectedHeader.typ)) return undefined
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > MAX_JTI) return undefined
  return { exp, jti }
}
