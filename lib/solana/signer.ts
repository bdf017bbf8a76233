import { importSigningKey, type SigningKey } from '../crypto/signing-key.ts'
import { type Address, addressOf } from './address.ts'

/** A key that signs transactions, with its address. */
export type Signer = Pick<SigningKey, 'sign'> & { address: Address }

/**
 * Imports a Solana secret key: 64 bytes, the seed, then the public key.
 * @throws TypeError when the public half is not that of the seed
 */
export async function importSigner(secretKey: Uint8Array): Promise<Signer> {
  const { publicKey, sign } = await importSigningKey(secretKey)
  return { address: addressOf(publicKey), sign }
}
