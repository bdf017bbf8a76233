import {
  type MobileWallet,
  transact as runSession,
  SolanaMobileWalletAdapterError,
  SolanaMobileWalletAdapterProtocolError,
} from '@solana-mobile/mobile-wallet-adapter-protocol'
import { mayOpenApp, mayReachApps } from './consent.tsx'

export type { MobileWallet }

/**
 * Opens a wallet app and asks it for something, in a session that ends with the answer. The browser first
 * wants to know from the visitor whether it may.
 * @param baseUri opens a certain app; any that there is unless given
 * @throws Error in words for the visitor
 */
export async function transact<T>(
  action: (wallet: MobileWallet) => Promise<T>,
  baseUri?: string,
): Promise<T> {
  await mayReachApps()
  await mayOpenApp()
  try {
    return await runSession(action, baseUri === undefined ? undefined : { baseUri })
  } catch (cause) {
    throw new Error(wordsOf(cause), { cause })
  }
}

/** Returns whether a request failed because the app has withdrawn its permission. */
export const isRevoked = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof SolanaMobileWalletAdapterProtocolError &&
  error.cause.code === -1

/** Errors on the way to the app, by the protocol's codes. */
const WORDS: Record<string, string> = {
  ERROR_WALLET_NOT_FOUND:
    'No wallet app responded. Install a Solana wallet, or open this page in your wallet app’s browser.',
  ERROR_SESSION_TIMEOUT: 'The wallet app did not respond in time. Open it and try again.',
  ERROR_SESSION_CLOSED: 'The wallet app closed the connection. Try again.',
  ERROR_SECURE_CONTEXT_REQUIRED: 'Wallet apps only connect to pages served over https.',
}

/** Errors of the app itself. */
const REFUSALS: Record<number, string> = {
  [-1]: 'The wallet app no longer trusts this page. Connect it again.',
  [-2]: 'The wallet app could not read the request.',
  [-3]: 'You declined the request in the wallet app.',
  [-4]: 'The wallet app signed the transaction but could not send it to Solana.',
}

function wordsOf(cause: unknown): string {
  const words =
    cause instanceof SolanaMobileWalletAdapterError
      ? WORDS[cause.code]
      : cause instanceof SolanaMobileWalletAdapterProtocolError
        ? REFUSALS[cause.code]
        : undefined
  return words ?? `Could not connect to the wallet app: ${cause instanceof Error ? cause.message : cause}`
}
