import { base64urlnopad } from '@scure/base'
import { concat, equalBytes } from './bytes.ts'

/** An Ed25519 signing key, whose secret cannot be read. */
export type SigningKey = {
  /** 32 bytes. */
  publicKey: Uint8Array<ArrayBuffer>
  /** @returns the 64 bytes of the signature (RFC 8032) */
  sign(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
}

const PKCS8_PREFIX = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** Returns the PKCS #8 form (DER) of an Ed25519 key, by its seed of 32 bytes (RFC 8410). */
export const pkcs8Of = (seed: Uint8Array): Uint8Array<ArrayBuffer> => concat(PKCS8_PREFIX, seed)

/**
 * Imports a secret key of 64 bytes: the seed, then the public key, as `solana-keygen` and Standard Webhooks
 * write it.
 * @throws TypeError if the public half does not match the seed
 */
export async function importSigningKey(secretKey: Uint8Array): Promise<SigningKey> {
  const seed = secretKey.slice(0, 32)
  const publicKey = secretKey.slice(32)
  if (secretKey.length !== 64 || !equalBytes(await publicKeyOf(seed), publicKey)) {
    throw new TypeError('the secret key is not 64 bytes that end in its own public key')
  }
  const key = await importSeed(seed, false)
  return {
    publicKey: new Uint8Array(publicKey),
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message)),
  }
}

async function publicKeyOf(seed: Uint8Array): Promise<Uint8Array> {
  const jwk = (await crypto.subtle.exportKey('jwk', await importSeed(seed, true))) as JsonWebKey
  return base64urlnopad.decode(jwk.x ?? '')
}

const importSeed = (seed: Uint8Array, extractable: boolean): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', pkcs8Of(seed), 'Ed25519', extractable, ['sign'])
