import { readFileSync } from 'node:fs'
import { importSigner, type Signer } from '../../keys/signer.ts'
import { errorCode } from '../../tools/error-code.ts'
import { parseKey, type SecretKey } from '../../tools/keys/solana.ts'
import { UsageError } from '../arguments.ts'

/**
 * Reads a key file: a JSON array as `solana-keygen` writes it, or Base58 as wallets export it.
 * @param flag the option that named the path, for the message, which repeats neither path nor content
 * @throws UsageError
 */
export function readKeyFile(flag: string, path: string): SecretKey {
  const key = parseKey(readText(flag, path))
  if (key) return key
  throw new UsageError(
    `${flag}: the file has no secret key (a JSON array of 64 numbers, or Base58 of 64 bytes)`,
  )
}

/**
 * Imports a key for signing.
 * @throws UsageError if its public half does not belong to its secret half
 */
export async function signerOf(flag: string, key: SecretKey): Promise<Signer> {
  try {
    return await importSigner(key)
  } catch (cause) {
    throw new UsageError(`${flag}: this is not a key pair`, { cause })
  }
}

function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag}: the file can't be read (${errorCode(error) ?? 'unknown error'})`)
  }
}
