import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { importSigner, type Signer } from '../../solana/signer.ts'
import { UsageError } from '../arguments.ts'

/** A Solana secret key, 64 bytes: the Ed25519 seed, then the public key. */
export type SecretKey = Uint8Array<ArrayBuffer>

/** A fresh key. */
export function generateSecretKey(): SecretKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return new Uint8Array([...seed, ...point])
}

/** A key as the text of a key file: `solana-keygen`'s JSON array of 64 numbers. */
export const keyFileText = (key: SecretKey): string => `${JSON.stringify([...key])}\n`

/**
 * The key in a file: a JSON array as `solana-keygen` writes it, or Base58 as wallets export it.
 * @param flag what the caller gave the path with, for the message; neither path nor content is ever repeated
 * @throws UsageError
 */
export function readKeyFile(flag: string, path: string): SecretKey {
  const key = parseKey(readText(flag, path))
  if (key) return key
  throw new UsageError(
    `${flag}: the file holds no secret key (a JSON array of 64 numbers, or Base58 of 64 bytes)`,
  )
}

/** The key of a text, in either form; undefined when it is none. */
export function parseKey(text: string): SecretKey | undefined {
  try {
    const trimmed = text.trim()
    const bytes: unknown = trimmed.startsWith('[') ? JSON.parse(trimmed) : [...base58.decode(trimmed)]
    return Array.isArray(bytes) && bytes.length === 64 && bytes.every(isByte)
      ? new Uint8Array(bytes)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes a key ready to sign.
 * @throws UsageError when its halves don't belong together
 */
export async function signerOf(flag: string, key: SecretKey): Promise<Signer> {
  try {
    return await importSigner(key)
  } catch (cause) {
    throw new UsageError(`${flag}: this is no key pair`, { cause })
  }
}

function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    throw new UsageError(`${flag}: the file can't be read (${code})`)
  }
}

const isByte = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
