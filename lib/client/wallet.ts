import { AgentCredError } from './error.ts'
import type { SignInInput } from './generated/types.ts'

/** A signature of 64 bytes, and the bytes that were signed: the text in an off-chain message. */
export type SignedMessage = { readonly signature: Uint8Array; readonly signedMessage: Uint8Array }

/** A signature of 64 bytes over a text as it is, or over an off-chain message around it. */
type Signing = Promise<Uint8Array | SignedMessage> | Uint8Array | SignedMessage

/**
 * Signs for a key. `fromWalletStandard` makes one from a browser's wallet, `fromSecretKey` from a key pair. A
 * login needs `signIn`, `signOffchainMessage` or `signMessage`. Moving funds needs `signTransaction` or
 * `signAndSendTransaction`.
 */
export type Wallet = {
  /** Base58. */
  publicKey: string
  /** Signs the bytes by Ed25519. Returns 64 bytes, also what was signed if that is an off-chain message. */
  signMessage?: ((message: Uint8Array) => Signing) | undefined
  /** Writes a text into an off-chain message (version 1) and signs it. */
  signOffchainMessage?: ((text: string) => Signing) | undefined
  /** Writes a Sign-In-With-Solana message of the input and signs it. Returns the same. */
  signIn?: ((input: SignInInput) => Signing) | undefined
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
  /** 32 bytes. Needed to sign off-chain messages. */
  readonly publicKey?: ArrayLike<number>
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

type Signed = { readonly signature: Uint8Array; readonly signedMessage?: Uint8Array }
type SignedIn = Signed & { readonly account: { readonly address: string } }
type SignedOffchain = { readonly signature: Uint8Array; readonly signedOffchainMessage: Uint8Array }
/** Asks for an off-chain message of version 1, which hardware wallets can show. */
type OffchainMessage = {
  messageVersion: 1
  account: StandardAccount
  message: string
  requiredSigners: readonly (ArrayLike<number> | undefined)[]
}
type Transaction = { account: StandardAccount; transaction: Uint8Array; chain: string | undefined }

type Features = {
  'solana:signIn': {
    version: string
    signIn(input: SignInInput & { useOffchainMessage?: { messageVersion: 1 } }): Promise<readonly SignedIn[]>
  }
  'solana:signOffchainMessage': {
    supportedMessageVersions: readonly unknown[]
    signOffchainMessage(input: OffchainMessage): Promise<readonly SignedOffchain[]>
  }
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
  const offchain = feature('solana:signOffchainMessage')
  const signOffchain = offchain?.supportedMessageVersions.includes(1) && offchain
  // Sign-in happens before there are accounts, so an account that supports it may not list it.
  const signIn =
    signMessage || signOffchain
      ? feature('solana:signIn')
      : (wallet.features['solana:signIn'] as Features['solana:signIn'] | undefined)
  // An account that signs no plain text is a hardware wallet's. Sign-in takes off-chain messages since 1.1.
  const form =
    !signMessage && signIn && Number.parseFloat(signIn.version) >= 1.1
      ? { useOffchainMessage: { messageVersion: 1 as const } }
      : {}
  const signTransaction = takingLegacy(feature('solana:signTransaction'))
  const send = takingLegacy(feature('solana:signAndSendTransaction'))
  return {
    publicKey: account.address,
    signIn: signIn && (async (input) => signedBy(account, first(await signIn.signIn({ ...input, ...form })))),
    signOffchainMessage: signOffchain
      ? async (message) => {
          const input = { messageVersion: 1 as const, account, message, requiredSigners: [account.publicKey] }
          const { signature, signedOffchainMessage } = first(await signOffchain.signOffchainMessage(input))
          return { signature, signedMessage: signedOffchainMessage }
        }
      : undefined,
    signMessage:
      signMessage && (async (message) => signed(first(await signMessage.signMessage({ account, message })))),
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

function signedBy({ address }: StandardAccount, output: SignedIn): Uint8Array | SignedMessage {
  if (output.account.address === address) return signed(output)
  throw new AgentCredError(
    'wallet_refused',
    `The wallet signed in as ${output.account.address}, not as ${address}`,
  )
}

/** Keeps the signed bytes only of an off-chain message, whose first byte no text has. */
const signed = ({ signature, signedMessage }: Signed): Uint8Array | SignedMessage =>
  signedMessage?.[0] === 0xff ? { signature, signedMessage } : signature

function first<T>([output]: readonly T[]): T {
  if (output === undefined) throw new TypeError('it answered nothing')
  return output
}
