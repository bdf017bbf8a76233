import { addSignature } from './add-signature.ts'
import { base58, fromBase64 } from './encoding.ts'
import { fromBase58 } from './from-base58.ts'
import type { Wallet } from './wallet.ts'

/** An Ed25519 secret key: its bytes, Base58, or the JSON array that Solana's CLI writes to a key file. */
export type SecretKey = Uint8Array | readonly number[] | string

type KeyWallet = Omit<Wallet, 'signMessage'> & { signMessage: (message: Uint8Array) => Promise<Uint8Array> }

/** The PKCS #8 form (DER) of an Ed25519 key, without the seed at its end (RFC 8410). */
const PKCS8_HEAD = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/**
 * Makes a wallet from a secret key, for a server or a script. The key has 64 bytes as in Solana's tools (the
 * seed, then the public key), or is the seed alone. It signs every message and transaction that it receives.
 * Web Crypto stores the key, and does not export it. If Web Crypto lacks Ed25519, the package signs, with
 * the key in memory.
 * @throws TypeError for any other key; the message does not repeat it
 */
export async function fromSecretKey(secretKey: SecretKey): Promise<KeyWallet> {
  const bytes = bytesOf(secretKey)
  if (bytes?.length !== 64 && bytes?.length !== 32)
    throw new TypeError('not a secret key: give 64 or 32 bytes, as bytes, Base58 or a JSON array')
  const { publicKey, sign } = await keyPairOf(bytes.slice(0, 32))
  if (bytes.length === 64 && bytes.slice(32).some((byte, index) => byte !== publicKey[index]))
    throw new TypeError('not a secret key: its two halves do not match')
  return {
    publicKey: base58(publicKey),
    signMessage: sign,
    signTransaction: (transaction) => addSignature(transaction, publicKey, sign),
  }
}

function bytesOf(secretKey: SecretKey): Uint8Array | undefined {
  try {
    const text = typeof secretKey === 'string' ? secretKey.trim() : undefined
    const bytes = text === undefined ? secretKey : text.startsWith('[') ? JSON.parse(text) : fromBase58(text)
    return [...bytes].every(isByte) ? Uint8Array.from(bytes) : undefined
  } catch {
    // Don't pass on the error: it has a part of the secret text.
    return undefined
  }
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && (value as number) >> 8 === 0

type KeyPair = { publicKey: Uint8Array; sign: (message: Uint8Array) => Promise<Uint8Array> }

const keyPairOf = (seed: Uint8Array): Promise<KeyPair> =>
  ofWebCrypto(seed).catch(async () => (await import('./noble.ts')).keyPairOf(seed))

/** @throws if the runtime has no Web Crypto, or its Web Crypto lacks Ed25519 */
async function ofWebCrypto(seed: Uint8Array): Promise<KeyPair> {
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...seed])
  const publicKey = await publicKeyOf(pkcs8)
  const key = await importKey(pkcs8, false)
  // Copy the message: Web Crypto accepts no shared memory, and a wallet's type may have shared memory.
  const sign = async (message: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', key, new Uint8Array(message)))
  return { publicKey, sign }
}

const importKey = (pkcs8: BufferSource, isExtractable: boolean) =>
  crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', isExtractable, ['sign'])

async function publicKeyOf(pkcs8: BufferSource): Promise<Uint8Array> {
  const { x = '' } = (await crypto.subtle.exportKey('jwk', await importKey(pkcs8, true))) as { x?: string }
  return fromBase64(x.replaceAll('-', '+').replaceAll('_', '/'))
}
