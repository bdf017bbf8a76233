import { AgentCredError } from './error.ts'
import type { SignInInput } from './generated/types.ts'

/**
 * Signs for a key. `fromWalletStandard` makes one from a browser's wallet, `fromSecretKey` from a key pair. A
 * login needs `signIn` or `signMessage`. Moving funds needs `signTransaction` or `signAndSendTransaction`.
 */
export type Wallet = {
  /** Base58. */
  publicKey: string
  /** Signs the bytes by Ed25519. Returns 64 bytes. */
  signMessage?: ((message: Uint8Array) => Promise<Uint8Array> | Uint8Array) | undefined
  /** Writes a Sign-In-With-Solana message of the input and signs it. Returns 64 bytes. */
  signIn?: ((input: SignInInput) => Promise<Uint8Array> | Uint8Array) | undefined
  /** Adds its signature to a transaction's wire form. */
  signTransaction?: ((transaction: Uint8Array) => Promise<Uint8Array> | Uint8Array) | undefined
  /** Signs a transaction and sends it to the network. */
  signAndSendTransaction?: ((transaction: Uint8Array) => Promise<unknown>) | undefined
}

/**
 * Asks the wallet, and waits for its user.
 * @throws AgentCredError `wallet_refused`, with the wallet's error as its cause
 */
export async function ask<T>(what: string, action: () => Promise<T> | T): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    if (cause instanceof AgentCredError) throw cause
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new AgentCredError('wallet_refused', `The wallet did not ${what}: ${said}`, { cause })
  }
}

/** The part of a Wallet Standard wallet that the client uses. */
export type StandardWallet = { readonly features: Readonly<Record<string, unknown>> }

/** The part of its account that the client uses. */
export type StandardAccount = {
  readonly address: string
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

type Signed = { readonly signature: Uint8Array }
type SignedIn = Signed & { readonly account: { readonly address: string } }
type Transaction = { account: StandardAccount; transaction: Uint8Array; chain: string | undefined }

type Features = {
  'solana:signIn': { signIn(input: SignInInput): Promise<readonly SignedIn[]> }
  'solana:signMessage': {
    signMessage(input: { account: StandardAccount; message: Uint8Array }): Promise<readonly Signed[]>
  }
  'solana:signTransaction': {
    supportedTransactionVersions: readonly unknown[]
    signTransaction(input: Transaction): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
  }
  'solana:signAndSendTransaction': {
    supportedTransactionVersions: readonly unknown[]
    signAndSendTransaction(input: Transaction): Promise<readonly Signed[]>
  }
}

/**
 * Makes a client's wallet from an account of a Wallet Standard wallet, with the features of that account. A
 * transaction feature only counts if it accepts the legacy format, which the service uses.
 * @param chain `solana:mainnet`, `solana:devnet` …; by default the account's first Solana chain
 */
export function fromWalletStandard(
  wallet: StandardWallet,
  account: StandardAccount,
  chain: string | undefined = account.chains.find((name) => name.startsWith('solana:')),
): Wallet {
  const feature = <Name extends keyof Features>(name: Name): Features[Name] | undefined =>
    account.features.includes(name) ? (wallet.features[name] as Features[Name] | undefined) : undefined
  const signMessage = feature('solana:signMessage')
  // Sign-in happens before there are accounts, so an account that supports it may not list it.
  const signIn = signMessage
    ? feature('solana:signIn')
    : (wallet.features['solana:signIn'] as Features['solana:signIn'] | undefined)
  const signTransaction = takingLegacy(feature('solana:signTransaction'))
  const send = takingLegacy(feature('solana:signAndSendTransaction'))
  return {
    publicKey: account.address,
    signIn: signIn && (async (input) => signatureOf(account, first(await signIn.signIn(input)))),
    signMessage:
      signMessage &&
      (async (message) => first(await signMessage.signMessage({ account, message })).signature),
    signTransaction:
      signTransaction &&
      (async (transaction) =>
        first(await signTransaction.signTransaction({ account, transaction, chain })).signedTransaction),
    signAndSendTransaction:
      send && ((transaction) => send.signAndSendTransaction({ account, transaction, chain })),
  }
}

const takingLegacy = <T extends { supportedTransactionVersions: readonly unknown[] }>(
  feature: T | undefined,
): T | undefined => (feature?.supportedTransactionVersions.includes('legacy') ? feature : undefined)

function signatureOf({ address }: StandardAccount, { account, signature }: SignedIn): Uint8Array {
  if (account.address === address) return signature
  throw new AgentCredError('wallet_refused', `The wallet signed in as ${account.address}, not as ${address}`)
}

function first<T>([output]: readonly T[]): T {
  if (output === undefined) throw new TypeError('it answered nothing')
  return output
}
