import { generateJwks } from './jwks.ts'

/**
 * The two settings for agent cards, both of the protocols Worker: what it signs with, and what it publishes.
 */
export type CardKeys = { CARD_SIGNING_KEY: string; CARD_JWKS: string }

/**
 * Makes a new Ed25519 key for agent cards. The newest key of the previous public set, if it is given, stays
 * published beside it, so that cards that others have kept can still be verified.
 * @param previousJwks CARD_JWKS of the deployment that the key is for
 */
export async function generateCardKeys(now: Date, previousJwks?: string): Promise<CardKeys> {
  const { signingKey, jwks } = await generateJwks(now, previousJwks)
  return { CARD_SIGNING_KEY: signingKey, CARD_JWKS: jwks }
}
