import type { MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol'
import type { IdentifierString, WalletAccount } from '@wallet-standard/base'
import { base58, fromBase64 } from '../../../client/encoding.ts'
import { CHAIN } from '../chain.ts'

/** A wallet app's permission for this page, and how to ask the app again. */
export type Authorization = {
  token: string
  /** Opens the same app again. */
  baseUri?: string
  /** Public keys in Base64. */
  accounts: { publicKey: string; label?: string }[]
  /** The app's features, by their names in the Wallet Standard. */
  features: IdentifierString[]
}

const KEY = 'agentcred:mobile-wallet'

/** The authorization that the browser keeps. It opens nothing without the app, which asks its holder. */
export const authorization = {
  read(): Authorization | undefined {
    const text = localStorage.getItem(KEY)
    return text === null ? undefined : JSON.parse(text)
  },
  keep(allowed: Authorization | undefined): void {
    if (allowed) localStorage.setItem(KEY, JSON.stringify(allowed))
    else localStorage.removeItem(KEY)
  },
}

/** The page's identity, which the app shows. */
const IDENTITY = { name: 'AgentCred', uri: location.origin }

/** Asks an app for accounts, and what it can do with them. */
export async function authorize(wallet: MobileWallet): Promise<Authorization> {
  const { features, supports_sign_and_send_transactions: sends } = await wallet.getCapabilities()
  return grant(wallet, {}, [
    'solana:signMessage',
    ...(features.includes('solana:signTransactions') ? (['solana:signTransaction'] as const) : []),
    ...(sends ? (['solana:signAndSendTransaction'] as const) : []),
  ])
}

/** Shows an app its earlier permission. It may answer with another token, or with other accounts. */
export const reauthorize = (
  wallet: MobileWallet,
  { token, features }: Authorization,
): Promise<Authorization> => grant(wallet, { auth_token: token }, features)

async function grant(
  wallet: MobileWallet,
  before: { auth_token?: string },
  features: IdentifierString[],
): Promise<Authorization> {
  const request = { identity: IDENTITY, chain: CHAIN, ...before }
  const { auth_token, wallet_uri_base, accounts } = await wallet.authorize(request)
  return {
    token: auth_token,
    ...(wallet_uri_base ? { baseUri: wallet_uri_base } : {}),
    accounts: accounts.map(({ address, label }) => ({ publicKey: address, ...(label ? { label } : {}) })),
    features,
  }
}

/** The accounts that an app has allowed, in the terms of the Wallet Standard. */
export const accountsOf = (allowed: Authorization | undefined): WalletAccount[] =>
  (allowed?.accounts ?? []).map(({ publicKey, ...account }) => {
    const bytes = fromBase64(publicKey)
    const features: readonly IdentifierString[] = allowed?.features ?? []
    return { ...account, publicKey: bytes, address: base58(bytes), chains: [CHAIN], features }
  })
