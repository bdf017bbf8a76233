import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AuthSession } from '../../client/generated/types.ts'
import { type Client, createClient, fromWalletStandard, type Wallet } from '../../client/index.ts'
import { createServiceClock } from '../clock.ts'
import { CHAIN } from './chain.ts'
import { remembered } from './remembered.ts'
import { type Chosen, useWalletState, type WalletState } from './wallet-state.ts'
import { type SolanaWallet, useWallets } from './wallets.ts'

/** Who uses the console: nobody yet, or an account of a wallet. */
type Connection = {
  /** Calls the service as the connected account; without one only public reads succeed. */
  client: Client
  /** The connected account's wallet, in the client's terms. */
  wallet: Wallet | undefined
  /** The connected account's public key, Base58. */
  address: string | undefined
  /** The account's session, once it has logged in. */
  session: AuthSession | undefined
  /** The service's clock, Unix milliseconds. */
  now: () => number
  walletState: WalletState
  wallets: SolanaWallet[]
  /** Whether the remembered account of an earlier visit has been looked for. */
  isSettled: boolean
  connect(chosen: Chosen): void
  /** Ends the session, and disconnects the wallet. */
  disconnect(): void
}

const Context = createContext<Connection | undefined>(undefined)

export function useConnection(): Connection {
  const connection = useContext(Context)
  if (!connection) throw new Error('used outside of <Connected>')
  return connection
}

export const BASE_URL = `${location.origin}/v1`
export const clock = createServiceClock((...request) => fetch(...request))

/** Holds the connection for its children. */
export function Connected({ children }: { children: ComponentChildren }) {
  const wallets = useWallets()
  const { walletState, setWalletState, isSettled } = useWalletState(wallets)
  const { wallet, client, session } = useClient(walletState.state === 'connected' ? walletState : undefined)
  const connection: Connection = {
    client,
    wallet,
    address: wallet?.publicKey,
    session,
    now: clock.now,
    walletState,
    wallets,
    isSettled,
    connect(chosen) {
      remembered.keepAccount({ wallet: chosen.wallet.name, address: chosen.account.address })
      setWalletState({ state: 'connected', ...chosen })
    },
    disconnect() {
      remembered.forget()
      setWalletState({ state: 'nobody' })
      if (walletState.state !== 'connected') return
      // The connection ends here, even if the wallet fails.
      const { wallet } = walletState
      wallet.features['standard:disconnect']
        ?.disconnect()
        .catch((error: unknown) => console.error(`${wallet.name} did not disconnect:`, error))
    },
  }
  return <Context.Provider value={connection}>{children}</Context.Provider>
}

/** The account's client: one until another is chosen or what it can do changes, so that a login goes on. */
function useClient(chosen: Chosen | undefined) {
  const [latest, setLatest] = useState<{ chosen: Chosen | undefined; session: AuthSession | undefined }>()
  const made = useMemo(() => {
    const wallet = chosen && fromWalletStandard(chosen.wallet, chosen.account, CHAIN)
    const address = wallet?.publicKey
    const session = address === undefined ? undefined : remembered.session(address)
    const client = createClient({
      baseUrl: BASE_URL,
      fetch: clock.fetch,
      ...(address !== undefined && {
        wallet,
        session,
        onSession(session) {
          remembered.keepSession(address, session)
          setLatest({ chosen, session })
        },
      }),
    })
    return { wallet, client, session }
  }, [chosen])
  const address = useRef<string | undefined>(undefined)
  address.current = made.wallet?.publicKey
  useEffect(
    () => () => {
      // A login that the wallet answers later must not sign in the next visitor.
      if (address.current !== made.wallet?.publicKey) made.client.logout()
    },
    [made],
  )
  return latest && latest.chosen === chosen ? { ...made, session: latest.session } : made
}
