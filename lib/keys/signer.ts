import { base58 } from '@scure/base'
import type { Address } from '../../schema/wallet.ts'
import { importSigningKey, type SigningKey } from './signing-key.ts'

/** A key that signs transactions, with its address. */
export type Signer = Pick<SigningKey, 'sign'> & { address: Address }

/**
 * Imports a Solana secret key: 64 bytes, the seed, then the public key.
 * @throws TypeError if the public half does not match the seed
 */
export async function importSigner(secretKey: Uint8Array): Promise<Signer> {
  const { publicKey, sign } = await importSigningKey(secretKey)
  return { address: base58.encode(publicKey) as Address, sign }
}
