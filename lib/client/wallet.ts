import { AgentCredError } from './error.ts'
import type { SignInInput } from './generated/types.ts'

/**
 * Whoever holds a key and signs by it: a key pair, a hardware wallet, or a browser's
 * ({@link fromWalletStandard}). A client uses what there is of the following; one of `signIn` and `signMessage`
 * is needed to log in, one of `signTransaction` and `signAndSendTransaction` to move funds.
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
  /** Signs a transaction and hands it to the network. */
  signAndSendTransaction?: ((transaction: Uint8Array) => Promise<unknown>) | undefined
}

/**
 * Asks the wallet, and waits for whoever holds it.
 * @throws AgentCredError wallet_refused with the wallet's own error as its cause
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
