import { getPublicKey, hashes, sign } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'

/**
 * Makes the key pair of an Ed25519 seed (RFC 8032) without Web Crypto. Load this module by `import()`: the
 * package contains what it imports, and pages whose Web Crypto has Ed25519 do without it.
 * @param seed 32 bytes
 */
export function keyPairOf(seed: Uint8Array) {
  hashes.sha512 = (message) => new Uint8Array(sha512(message))
  return { publicKey: getPublicKey(seed), sign: async (message: Uint8Array) => sign(message, seed) }
}
