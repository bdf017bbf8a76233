import type { WalletAccount } from '@wallet-standard/base'
import type { StandardEventsChangeProperties } from '@wallet-standard/features'
import { useEffect, useState } from 'preact/hooks'
import { remembered } from './remembered.ts'
import { accountsOf, isUsable, type SolanaWallet } from './wallets.ts'

/** An account of a wallet, which the visitor has chosen. */
export type Chosen = { wallet: SolanaWallet; account: WalletAccount }

/** The connection: nobody, an account, or nobody since the wallet has taken the account away. */
export type WalletState =
  | { state: 'nobody' }
  | ({ state: 'connected' } & Chosen)
  | { state: 'gone'; wallet: SolanaWallet; address: string }

/**
 * Keeps who uses the console. The account of the last visit is connected again, silently, and a connected one
 * is followed: what it can do may change, and the wallet may take it away.
 */
export function useWalletState(wallets: readonly SolanaWallet[]) {
  const [walletState, setWalletState] = useState<WalletState>({ state: 'nobody' })
  const [isSettled, setSettled] = useState(remembered.account() === undefined)

  useEffect(() => {
    const last = remembered.account()
    const wallet = wallets.find(({ name }) => name === last?.wallet)
    if (!last || walletState.state !== 'nobody' || !wallet) return
    accountsOf(wallet, true)
      .then((accounts) => {
        // A wallet that is locked shows none: that is no news.
        if (accounts.length === 0) return
        setWalletState((now) => (now.state === 'nobody' ? among(accounts, wallet, last.address) : now))
      })
      // A wallet that declines is as one that is not there.
      .catch((error: unknown) => console.error(`${wallet.name} did not reconnect:`, error))
      .finally(() => setSettled(true))
  }, [wallets])

  useEffect(() => {
    // A wallet that was removed never answers.
    const timer = setTimeout(() => setSettled(true), 1_000)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    if (walletState.state === 'gone') remembered.forget()
    if (walletState.state === 'nobody') return
    const { wallet } = walletState
    return wallet.features['standard:events']?.on('change', (changed) =>
      setWalletState((now) => (now.state !== 'nobody' && now.wallet === wallet ? after(changed, now) : now)),
    )
  }, [walletState])

  return { walletState, setWalletState, isSettled }
}

/** Returns the connection after the wallet has reported a change. */
function after(
  changed: StandardEventsChangeProperties,
  now: Exclude<WalletState, { state: 'nobody' }>,
): WalletState {
  // The wallet may show other accounts now.
  if (now.state === 'gone') return { ...now }
  const next = among(now.wallet.accounts, now.wallet, now.account.address)
  const isSame = next.state === 'connected' && next.account === now.account && !changed.features
  return isSame ? now : next
}

/** Returns the connection by the wallet's accounts and the address of the chosen one. */
function among(accounts: readonly WalletAccount[], wallet: SolanaWallet, address: string): WalletState {
  const account = accounts.find((one) => one.address === address && isUsable(one))
  return account ? { state: 'connected', wallet, account } : { state: 'gone', wallet, address }
}
