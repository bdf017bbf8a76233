import type { WalletAccount } from '@wallet-standard/base'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../kit/loaded.tsx'
import { errorOf } from '../kit/query.ts'
import { Wallet } from '../kit/text.tsx'
import { useConnection } from './connection.tsx'
import { accountsOf, type SolanaWallet } from './wallets.ts'

/** The header's button: connects a wallet, or shows the account that is connected. */
export function WalletMenu() {
  const { address, walletName, disconnect } = useConnection()
  const [isOpen, setOpen] = useState(false)
  if (address !== undefined)
    return (
      <details class="menu">
        <summary>
          <Wallet address={address} />
        </summary>
        <div class="menu-body">
          <p class="small">Connected by {walletName}</p>
          <button type="button" onClick={() => navigator.clipboard.writeText(address)}>
            Copy address
          </button>
          <button type="button" onClick={disconnect}>
            Disconnect
          </button>
        </div>
      </details>
    )
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Connect wallet
      </button>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </>
  )
}

/** Lets the visitor choose a wallet, and an account where it has several. */
export function ConnectDialog({ close }: { close: () => void }) {
  const { wallets, connect } = useConnection()
  const [choice, setChoice] = useState<{ wallet: SolanaWallet; accounts: WalletAccount[] }>()
  const [error, setError] = useState<unknown>()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])

  /** The button that opened the dialog goes with it, so that the view gets the focus. */
  function finish(wallet: SolanaWallet, account: WalletAccount) {
    dialog.current?.close()
    document.getElementById('content')?.focus()
    connect(wallet, account)
  }

  async function choose(wallet: SolanaWallet) {
    setError(undefined)
    try {
      const accounts = await accountsOf(wallet)
      const [only] = accounts
      if (!only) throw new Error(`${wallet.name} shows this page no account of Solana.`)
      if (accounts.length > 1) return setChoice({ wallet, accounts })
      finish(wallet, only)
    } catch (cause) {
      setError(cause)
    }
  }

  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="connect-title">
      <h2 id="connect-title">{choice ? `Which account of ${choice.wallet.name}?` : 'Connect a wallet'}</h2>
      {error !== undefined && <Failure error={errorOf(error)} />}
      <ul class="choices">
        {choice
          ? choice.accounts.map((account) => (
              <li key={account.address}>
                <button type="button" onClick={() => finish(choice.wallet, account)}>
                  {account.label ?? <Wallet address={account.address} />}
                </button>
              </li>
            ))
          : wallets.map((wallet) => (
              <li key={wallet.name}>
                <button type="button" onClick={() => choose(wallet)}>
                  <img src={wallet.icon} alt="" width="24" height="24" /> {wallet.name}
                </button>
              </li>
            ))}
      </ul>
      {wallets.length === 0 && (
        <p>
          No Solana wallet was found in this browser. Install one as an extension, or open this page in a
          wallet’s own browser.
        </p>
      )}
      <button type="button" onClick={close}>
        Cancel
      </button>
    </dialog>
  )
}
