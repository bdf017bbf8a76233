import { generateKeyPairSync } from 'node:crypto'
import { importSigner, type Signer } from '../../lib/keys/signer.ts'
import type { Address } from '../../lib/solana/address.ts'
import { decodeTransaction, encodeTransaction } from '../../lib/solana/transaction.ts'

/** A fresh 64-byte Solana secret key: seed, then public key. */
export function createSecretKey(): Uint8Array {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (d === undefined || x === undefined) throw new Error('the key did not export')
  return new Uint8Array([...Buffer.from(d, 'base64url'), ...Buffer.from(x, 'base64url')])
}

export const createSigner = (): Promise<Signer> => importSigner(createSecretKey())

/** Fills the first slot, as an owner's wallet does. */
export const signAsOwner = (transaction: string, owner: Signer): Promise<string> =>
  signAll(transaction, [owner.address], [owner])

/** Fills the slots whose signers are at hand. */
export async function signAll(transaction: string, slots: Address[], signers: Signer[]): Promise<string> {
  const decoded = decodeTransaction(transaction)
  if (!decoded) throw new Error('no transaction')
  const signatures = [...decoded.signatures]
  for (const [index, slot] of slots.entries()) {
    const signer = signers.find(({ address }) => address === slot)
    if (signer) signatures[index] = await signer.sign(decoded.message)
  }
  return encodeTransaction({ signatures, message: decoded.message })
}
