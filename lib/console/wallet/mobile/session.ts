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

/** Whether a request failed since the app does not allow this page anything any more. */
export const isRevoked = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof SolanaMobileWalletAdapterProtocolError &&
  error.cause.code === -1

/** What went wrong on the way to the app, by the protocol's codes. */
const WORDS: Record<string, string> = {
  ERROR_WALLET_NOT_FOUND:
    'No wallet app answered. Install one for Solana, or open this page in the browser of the wallet that you have.',
  ERROR_SESSION_TIMEOUT: 'The wallet app did not answer in time. Open it, then try again.',
  ERROR_SESSION_CLOSED: 'The wallet app closed the connection. Try again.',
  ERROR_SECURE_CONTEXT_REQUIRED: 'Wallet apps answer pages of https only.',
}

/** What the app itself refused. */
const REFUSALS: Record<number, string> = {
  [-1]: 'The wallet app did not allow it. Connect it again.',
  [-2]: 'The wallet app could not read what it was given to sign.',
  [-3]: 'You declined it in the wallet app.',
  [-4]: 'The wallet app signed, but could not send it to the network.',
}

function wordsOf(cause: unknown): string {
  const words =
    cause instanceof SolanaMobileWalletAdapterError
      ? WORDS[cause.code]
      : cause instanceof SolanaMobileWalletAdapterProtocolError
        ? REFUSALS[cause.code]
        : undefined
  return words ?? `The wallet app could not be asked: ${cause instanceof Error ? cause.message : cause}`
}
