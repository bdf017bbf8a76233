import { exportJWK, generateKeyPair } from 'jose'
import { v7 as uuidv7 } from 'uuid'

/**
 * The two settings for sessions: the secret of the auth Worker, and the public keys for all that check
 * tokens.
 */
export type SessionKeys = { SESSION_SIGNING_KEY: string; SESSION_JWKS: string }

/**
 * Makes a new Ed25519 key for session tokens. The newest key of the previous public set, if it is given,
 * stays valid beside it, so that tokens that were issued stay valid until they expire.
 * @param previousJwks SESSION_JWKS of the deployment that the key is for
 */
export async function generateSessionKeys(now: Date, previousJwks?: string): Promise<SessionKeys> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const kid = uuidv7({ msecs: now.getTime() })
  const published = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }
  const previous: { keys: unknown[] } = previousJwks === undefined ? { keys: [] } : JSON.parse(previousJwks)
  return {
    SESSION_SIGNING_KEY: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA', use: 'sig' }),
    SESSION_JWKS: JSON.stringify({ keys: [published, ...previous.keys.slice(0, 1)] }),
  }
}
