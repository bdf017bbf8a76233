import { generateJwks } from './jwks.ts'

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
  const { signingKey, jwks } = await generateJwks(now, previousJwks)
  return { SESSION_SIGNING_KEY: signingKey, SESSION_JWKS: jwks }
}
