import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { StandardEventsListeners } from '@wallet-standard/features'
import { fromBase64, toBase64 } from '../../../client/encoding.ts'
import { CHAIN } from '../chain.ts'
import { type Authorization, accountsOf, authorization, authorize, reauthorize } from './authorization.ts'
import { isRevoked, type MobileWallet, transact } from './session.ts'

/** The icon of the wallet, as the data URL that the Wallet Standard requires. */
const ICON = `data:image/svg+xml;base64,${btoa(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect x='4' y='1' width='8' height='14' rx='2' fill='#4338ca'/><path d='M7 13h2' stroke='white'/></svg>",
)}` as const

type Listener = StandardEventsListeners['change']
type ToSign = { account: WalletAccount; transaction: Uint8Array }

/**
 * Offers the wallet apps of an Android phone as one wallet of the Wallet Standard. Each request opens an app,
 * which answers by the Mobile Wallet Adapter protocol.
 */
export function registerMobileWallet(): void {
  const listeners = new Set<Listener>()
  let accounts = accountsOf(authorization.read())

  function keep(next: Authorization | undefined) {
    authorization.keep(next)
    const shown = accountsOf(next)
    if (String(shown.map(addressOf)) === String(accounts.map(addressOf))) return
    accounts = shown
    for (const listener of listeners) listener({ accounts })
  }

  /** Asks the app that has authorized this page. */
  const ask = async <T>(action: (wallet: MobileWallet) => Promise<T>): Promise<T> => {
    const stored = authorization.read()
    if (!stored) throw new Error('The wallet app is not connected.')
    const asked = transact(async (wallet) => {
      keep(await reauthorize(wallet, stored))
      return action(wallet)
    }, stored.baseUri)
    return asked.catch((error: unknown) => {
      if (isRevoked(error)) keep(undefined)
      throw error
    })
  }

  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Wallet app on this phone',
    icon: ICON,
    chains: [CHAIN],
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          if (!silent) keep(await transact(authorize))
          return { accounts }
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => keep(undefined) },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: Listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        async signMessage({ account, message }: { account: WalletAccount; message: Uint8Array }) {
          const { signed_payloads } = await ask((app) =>
            app.signMessages({
              addresses: [toBase64(Uint8Array.from(account.publicKey))],
              payloads: [toBase64(message)],
            }),
          )
          // The message and its signature behind it.
          const signedMessage = bytesOf(signed_payloads)
          return [{ signedMessage, signature: signedMessage.slice(-64) }]
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signTransaction({ transaction }: ToSign) {
          const { signed_payloads } = await ask((app) =>
            app.signTransactions({ payloads: [toBase64(transaction)] }),
          )
          return [{ signedTransaction: bytesOf(signed_payloads) }]
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signAndSendTransaction({ transaction }: ToSign) {
          const { signatures } = await ask((app) =>
            app.signAndSendTransactions({ payloads: [toBase64(transaction)] }),
          )
          return [{ signature: bytesOf(signatures) }]
        },
      },
    },
  }
  getWallets().register(wallet)
}

const addressOf = ({ address }: WalletAccount): string => address

function bytesOf([payload]: readonly string[]): Uint8Array {
  if (payload === undefined) throw new Error('The wallet app returned no signature.')
  return fromBase64(payload)
}
