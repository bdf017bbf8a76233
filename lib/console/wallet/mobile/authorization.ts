import type { IdentifierString } from '@wallet-standard/base'

/** What a wallet app has allowed this page, and how it is asked again. */
export type Authorization = {
  token: string
  /** Opens the same app again. */
  baseUri?: string
  /** Public keys in Base64. */
  accounts: { publicKey: string; label?: string }[]
  /** What the app can do, by the names of the Wallet Standard. */
  features: IdentifierString[]
}

const KEY = 'agentcred:mobile-wallet'

/** The authorization that the browser keeps. It opens nothing without the app, which asks its holder. */
export const authorization = {
  read(): Authorization | undefined {
    const text = localStorage.getItem(KEY)
    return text === null ? undefined : JSON.parse(text)
  },
  keep(given: Authorization | undefined): void {
    if (given) localStorage.setItem(KEY, JSON.stringify(given))
    else localStorage.removeItem(KEY)
  },
}
