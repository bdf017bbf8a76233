import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { type Client, createClient, fromWalletStandard, type Wallet } from '../../client/index.ts'
import { CHAIN } from './chain.ts'
import { remembered } from './remembered.ts'
import { type Chosen, type Standing, useStanding } from './standing.ts'
import { type SolanaWallet, useWallets } from './wallets.ts'

/** Who uses the console: nobody yet, or an account of a wallet. */
type Connection = {
  /** Calls the service as the connected account; without one only public reads succeed. */
  client: Client
  /** The connected account's wallet, in the client's terms. */
  wallet: Wallet | undefined
  /** The connected account's public key, Base58. */
  address: string | undefined
  standing: Standing
  wallets: SolanaWallet[]
  /** Whether what was remembered of an earlier visit has been looked for. */
  isSettled: boolean
  connect(chosen: Chosen): void
  /** Ends the session, and tells the wallet that it is trusted no more. */
  disconnect(): void
}

const Context = createContext<Connection | undefined>(undefined)

export function useConnection(): Connection {
  const connection = useContext(Context)
  if (!connection) throw new Error('used outside of <Connected>')
  return connection
}

const BASE_URL = `${location.origin}/v1`

/** Holds the connection for what is inside. */
export function Connected({ children }: { children: ComponentChildren }) {
  const wallets = useWallets()
  const { standing, setStanding, isSettled } = useStanding(wallets)

  const connection = useMemo((): Connection => {
    const wallet =
      standing.state === 'connected'
        ? fromWalletStandard(standing.wallet, standing.account, CHAIN)
        : undefined
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
      standing,
      wallets,
      isSettled,
      connect(chosen) {
        remembered.keepAccount({ wallet: chosen.wallet.name, address: chosen.account.address })
        setStanding({ state: 'connected', ...chosen })
      },
      disconnect() {
        remembered.forget()
        setStanding({ state: 'nobody' })
        if (standing.state !== 'connected') return
        // It ends here, whatever the wallet says.
        standing.wallet.features['standard:disconnect']?.disconnect().catch(() => {})
      },
    }
  }, [standing, wallets, isSettled])

  return <Context.Provider value={connection}>{children}</Context.Provider>
}
