import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Wallet } from '../client/index.ts'
import { pkcs8Of } from '../keys/signing-key.ts'
import { decodeTransaction, encodeTransaction } from '../solana/transaction.ts'
import { parseKey } from '../tools/keys/solana.ts'

/** A wallet's key pair, for the demo and the tests. A browser wallet has the same. */
export type KeyWallet = {
  /** Base58. */
  publicKey: string
  /** Signs bytes, or a text's UTF-8, by Ed25519. Returns the signature in Base58. */
  sign(message: string | Uint8Array): string
}

/** Makes a new wallet. */
export const createWallet = (): KeyWallet => fromKey(generateKeyPairSync('ed25519').privateKey)

/** Makes the wallet of a 64-byte Solana secret key (`solana-keygen` writes it as a JSON array of numbers). */
export const walletFromSecretKey = (secretKey: Uint8Array): KeyWallet =>
  walletFromSeed(secretKey.subarray(0, 32))

/** Makes the wallet of an Ed25519 key's 32-byte seed. */
export function walletFromSeed(seed: Uint8Array): KeyWallet {
  const der = Buffer.from(pkcs8Of(seed))
  return fromKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/**
 * Adds the wallet's signature, as the fee payer's, to a transaction that the service built.
 * @param transaction Base64, from the service
 */
export function signTransaction(transaction: string, wallet: KeyWallet): string {
  const decoded = decodeTransaction(transaction)
  if (!decoded) throw new TypeError('not a transaction')
  const { message, signatures } = decoded
  const own = new Uint8Array(base58.decode(wallet.sign(message)))
  return encodeTransaction({ message, signatures: [own, ...signatures.slice(1)] })
}

/** Returns the wallet as a signer for the API's client. It signs first. */
export const signerOf = (wallet: KeyWallet) =>
  ({
    publicKey: wallet.publicKey,
    signMessage: (message: Uint8Array) => base58.decode(wallet.sign(message)),
    signTransaction: (transaction: Uint8Array) =>
      Buffer.from(signTransaction(Buffer.from(transaction).toString('base64'), wallet), 'base64'),
  }) satisfies Wallet

function fromKey(privateKey: KeyObject): KeyWallet {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    publicKey: base58.encode(new Uint8Array(spki.subarray(-32))),
    sign: (message) => base58.encode(new Uint8Array(sign(null, Buffer.from(message), privateKey))),
  }
}

/**
 * Reads the wallet of an oracle or an operator from the environment: a secret key in Base58, or a JSON array
 * as `solana-keygen` writes it. Undefined if the variable is not set.
 * @throws Error that names the variable, but not its value, if it is not a secret key
 */
export function trustedWallet(variable: 'ORACLE_KEY' | 'OPERATOR_KEY'): KeyWallet | undefined {
  const text = process.env[variable]
  if (!text) return undefined
  const key = parseKey(text)
  if (!key) throw new Error(`${variable} is not a secret key (Base58 of 64 bytes, or a JSON array of them)`)
  return walletFromSecretKey(key)
}
