import type { WalletAccount } from '@wallet-standard/base'
import { useEffect, useRef, useState } from 'preact/hooks'
import { AgentCredError } from '../../client/index.ts'
import { Failure } from '../kit/loaded.tsx'
import { Address } from '../kit/text.tsx'
import { CHAIN_NAME } from './chain.ts'
import { useConnection } from './connection.tsx'
import { accountsOf, isUsable, ofSolana, type SolanaWallet } from './wallets.ts'

/** The visitor's step: choosing a wallet, waiting for its answer, or choosing an account. */
type Stage =
  | { name: 'wallets'; error?: AgentCredError }
  | { name: 'waiting'; wallet: SolanaWallet }
  | { name: 'accounts'; wallet: SolanaWallet; accounts: readonly WalletAccount[] }

/**
 * Lets the visitor choose a wallet, and an account where it has several.
 * @param wallet a wallet that is connected, to choose another of its accounts
 */
export function ConnectDialog({ close, wallet }: { close: () => void; wallet?: SolanaWallet | undefined }) {
  const { wallets, connect } = useConnection()
  const [stage, setStage] = useState<Stage>(
    wallet ? { name: 'accounts', wallet, accounts: ofSolana(wallet.accounts) } : { name: 'wallets' },
  )
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  /** The wallet that was asked. Ignores the answer of another wallet, or one after Cancel. */
  const asked = useRef<SolanaWallet | undefined>(undefined)
  useEffect(() => {
    dialog.current?.showModal()
    return () => {
      asked.current = undefined
    }
  }, [])

  useEffect(() => {
    // The button that had the focus is gone then.
    if (stage.name === 'accounts') heading.current?.focus()
  }, [stage.name])

  /** The button that opened the dialog goes with it, so that the view gets the focus. */
  function finish(wallet: SolanaWallet, account: WalletAccount) {
    dialog.current?.close()
    focusContent()
    connect({ wallet, account })
  }

  async function choose(wallet: SolanaWallet) {
    asked.current = wallet
    setStage({ name: 'waiting', wallet })
    try {
      const accounts = await accountsOf(wallet)
      if (asked.current !== wallet) return
      const [only] = accounts
      if (!accounts.some(isUsable)) throw new Error(noneOf(wallet, accounts))
      if (only && accounts.length === 1) finish(wallet, only)
      else setStage({ name: 'accounts', wallet, accounts })
    } catch (cause) {
      if (asked.current === wallet) setStage({ name: 'wallets', error: refusalOf(cause) })
    }
  }

  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="connect-title">
      <h2 id="connect-title" ref={heading} tabIndex={stage.name === 'accounts' ? -1 : undefined}>
        {stage.name === 'accounts' ? `Choose a ${stage.wallet.name} account` : 'Connect a wallet'}
      </h2>
      {stage.name === 'accounts' ? (
        <AccountChoices accounts={stage.accounts} choose={(account) => finish(stage.wallet, account)} />
      ) : (
        <WalletChoices wallets={wallets} choose={choose} />
      )}
      <p role="status">{stage.name === 'waiting' && `Approve the request in ${stage.wallet.name}.`}</p>
      {stage.name === 'wallets' && stage.error && <Failure error={stage.error} />}
      <button type="button" onClick={() => dialog.current?.close()}>
        Cancel
      </button>
    </dialog>
  )
}

/** Gives the focus to the view: the button that had it is about to go. */
export const focusContent = (): void => document.getElementById('content')?.focus()

const refusalOf = (cause: unknown): AgentCredError =>
  new AgentCredError('wallet_refused', cause instanceof Error ? cause.message : String(cause), { cause })

const noneOf = ({ name }: SolanaWallet, accounts: readonly WalletAccount[]): string =>
  accounts.length === 0
    ? `${name} has not shared a Solana account with this page. Allow one in the wallet and try again.`
    : `${name} has not shared an account on ${CHAIN_NAME}. Switch networks in the wallet and try again.`

/** Lists the wallets in the browser, or says what to do without one. */
const WalletChoices = ({
  wallets,
  choose,
}: {
  wallets: readonly SolanaWallet[]
  choose: (wallet: SolanaWallet) => void
}) =>
  wallets.length === 0 ? (
    <p>No Solana wallet found. Install a wallet extension, or open this page in your wallet app’s browser.</p>
  ) : (
    <ul class="choices">
      {wallets.map((wallet) => (
        <li key={wallet.name}>
          <button type="button" onClick={() => choose(wallet)}>
            <img src={wallet.icon} alt="" width="24" height="24" /> {wallet.name}
          </button>
        </li>
      ))}
    </ul>
  )

/** An account by the name that its wallet gives it, if it gives one, and its address. */
export const AccountName = ({ account: { label, address } }: { account: WalletAccount }) => (
  <>
    {label !== undefined && <span>{label}</span>} <Address address={address} />
  </>
)

/** Accounts to choose from. One that can't be connected says why. */
export const AccountChoices = ({
  accounts,
  choose,
}: {
  accounts: readonly WalletAccount[]
  choose: (account: WalletAccount) => void
}) => (
  <ul class="choices">
    {accounts.map((account) => (
      <li key={account.address}>
        {isUsable(account) ? (
          <button type="button" onClick={() => choose(account)}>
            <AccountName account={account} />
          </button>
        ) : (
          <p class="small">
            <AccountName account={account} /> is not on {CHAIN_NAME}.
          </p>
        )}
      </li>
    ))}
  </ul>
)
