import { exportJWK, generateKeyPair } from 'jose'
import { v7 as uuidv7 } from 'uuid'

/**
 * The two settings for sessions: the auth Worker's secret, and the public keys for all Workers that check
 * tokens.
 */
export type SessionKeys = { SESSION_SIGNING_KEY: string; SESSION_JWKS: string }

/**
 * Makes a new Ed25519 key for session tokens. The newest key of the previous public set, if given, stays
 * valid, so that issued tokens are valid until they expire.
 * @param previousJwks SESSION_JWKS of the deployment that the key is for
 */
export async function generateSessionKeys(now: Date, previousJwks?: string): Promise<SessionKeys> {
  const { signingKey, jwks } = await generateJwks(now, previousJwks)
  return { SESSION_SIGNING_KEY: signingKey, SESSION_JWKS: jwks }
}

/**
 * The protocols Worker's two settings for agent cards: the signing key, and the published keys.
 */
export type CardKeys = { CARD_SIGNING_KEY: string; CARD_JWKS: string }

/**
 * Makes a new Ed25519 key for agent cards. The newest key of the previous public set, if given, stays
 * published, so that copies of cards can still be verified.
 * @param previousJwks CARD_JWKS of the deployment that the key is for
 */
export async function generateCardKeys(now: Date, previousJwks?: string): Promise<CardKeys> {
  const { signingKey, jwks } = await generateJwks(now, previousJwks)
  return { CARD_SIGNING_KEY: signingKey, CARD_JWKS: jwks }
}

/**
 * Makes a new Ed25519 key, and the set of public keys to publish. The set also has the newest key of the
 * previous set, if given, so that earlier signatures can still be verified.
 * @returns both as JSON (RFC 7517)
 */
async function generateJwks(now: Date, previousJwks?: string): Promise<{ signingKey: string; jwks: string }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const kid = uuidv7({ msecs: now.getTime() })
  const published = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }
  const previous: { keys: unknown[] } = previousJwks === undefined ? { keys: [] } : JSON.parse(previousJwks)
  return {
    signingKey: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA', use: 'sig' }),
    jwks: JSON.stringify({ keys: [published, ...previous.keys.slice(0, 1)] }),
  }
}
