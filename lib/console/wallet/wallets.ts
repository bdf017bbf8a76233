import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { useEffect, useState } from 'preact/hooks'
import { CHAIN } from './chain.ts'

/** A wallet that this page can connect to, with accounts of Solana. */
export type SolanaWallet = Wallet & {
  features: StandardConnectFeature & Partial<StandardDisconnectFeature & StandardEventsFeature>
}

const isForSolana = (wallet: Wallet): wallet is SolanaWallet =>
  'standard:connect' in wallet.features && wallet.chains.some(isSolana)

const isSolana = (chain: string): boolean => chain.startsWith('solana:')

/** Returns the wallets in the browser, and updates when one appears or goes. */
export function useWallets(): SolanaWallet[] {
  const [wallets, setWallets] = useState(() => getWallets().get().filter(isForSolana))
  useEffect(() => {
    const { get, on } = getWallets()
    const update = () => setWallets(get().filter(isForSolana))
    update()
    const stops = [on('register', update), on('unregister', update)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return wallets
}

/**
 * Asks a wallet for its accounts of Solana.
 * @param silent asks nobody: only a wallet that already trusts this page answers with accounts
 */
export async function accountsOf(wallet: SolanaWallet, silent = false): Promise<WalletAccount[]> {
  const { accounts } = await wallet.features['standard:connect'].connect({ silent })
  return ofSolana(accounts)
}

/** Returns the accounts that are for Solana. */
export const ofSolana = (accounts: readonly WalletAccount[]): WalletAccount[] =>
  accounts.filter(({ chains }) => chains.some(isSolana))

/** Whether an account can be connected: it is one of this deployment's chain. */
export const isUsable = ({ chains }: WalletAccount): boolean => chains.includes(CHAIN)
