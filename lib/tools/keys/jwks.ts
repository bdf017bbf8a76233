import { exportJWK, generateKeyPair } from 'jose'
import { v7 as uuidv7 } from 'uuid'

/**
 * Makes a new Ed25519 key, and the set of public keys to publish from then on: its own and the newest of the
 * previous set, if that is given, so that what was signed before can still be verified.
 * @returns both as JSON (RFC 7517)
 */
export async function generateJwks(
  now: Date,
  previousJwks?: string,
): Promise<{ signingKey: string; jwks: string }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const kid = uuidv7({ msecs: now.getTime() })
  const published = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }
  const previous: { keys: unknown[] } = previousJwks === undefined ? { keys: [] } : JSON.parse(previousJwks)
  return {
    signingKey: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA', use: 'sig' }),
    jwks: JSON.stringify({ keys: [published, ...previous.keys.slice(0, 1)] }),
  }
}
