import type { WalletAccount } from '@wallet-standard/base'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { type Client, createClient, fromWalletStandard, type Wallet } from '../../client/index.ts'
import { remembered } from './remembered.ts'
import { accountsOf, type SolanaWallet, useWallets } from './wallets.ts'

/** Who uses the console: nobody yet, or an account of a wallet. */
type Connection = {
  /** Calls the service as the connected account; without one only public reads succeed. */
  client: Client
  /** The connected account's wallet, in the client's terms. */
  wallet: Wallet | undefined
  /** The connected account's public key, Base58. */
  address: string | undefined
  walletName: string | undefined
  wallets: SolanaWallet[]
  /** Whether what was remembered of an earlier visit has been looked for. */
  isSettled: boolean
  connect(wallet: SolanaWallet, account: WalletAccount): void
  disconnect(): void
}

const Context = createContext<Connection | undefined>(undefined)

export function useConnection(): Connection {
  const connection = useContext(Context)
  if (!connection) throw new Error('used outside of <Connected>')
  return connection
}

const BASE_URL = `${location.origin}/v1`

type Chosen = { wallet: SolanaWallet; account: WalletAccount }

/** Holds the connection for what is inside. An account of the last visit is connected again, silently. */
export function Connected({ children }: { children: ComponentChildren }) {
  const wallets = useWallets()
  const [chosen, setChosen] = useState<Chosen>()
  const [isSettled, setSettled] = useState(remembered.account() === undefined)

  useEffect(() => {
    const last = remembered.account()
    const wallet = wallets.find(({ name }) => name === last?.wallet)
    if (!last || chosen || !wallet) return
    accountsOf(wallet, true)
      .then((accounts) => {
        const account = accounts.find(({ address }) => address === last.address)
        if (account) setChosen({ wallet, account })
      })
      // A wallet that declines is as one that is not there.
      .catch(() => {})
      .finally(() => setSettled(true))
  }, [wallets])

  useEffect(() => {
    // A wallet that was removed never answers.
    const timer = setTimeout(() => setSettled(true), 1_000)
    return () => clearTimeout(timer)
  }, [])

  const connection = useMemo((): Connection => {
    const wallet = chosen && fromWalletStandard(chosen.wallet, chosen.account)
    return {
      client: createClient({
        baseUrl: BASE_URL,
        ...(wallet && {
          wallet,
          session: remembered.session(wallet.publicKey),
          onSession: (session) => remembered.keepSession(session),
        }),
      }),
      wallet,
      address: wallet?.publicKey,
      walletName: chosen?.wallet.name,
      wallets,
      isSettled,
      connect(wallet, account) {
        remembered.keepAccount({ wallet: wallet.name, address: account.address })
        setChosen({ wallet, account })
      },
      disconnect() {
        remembered.forget()
        setChosen(undefined)
      },
    }
  }, [chosen, wallets, isSettled])

  return <Context.Provider value={connection}>{children}</Context.Provider>
}
