import type { WalletAccount } from '@wallet-standard/base'
import { Wallet } from '../kit/text.tsx'
import { CHAIN_NAME } from './chain.ts'
import { isUsable } from './wallets.ts'

/** An account by the name that its wallet gives it, if it gives one, and its address. */
export const AccountName = ({ account: { label, address } }: { account: WalletAccount }) => (
  <>
    {label !== undefined && <span>{label}</span>} <Wallet address={address} />
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
            <AccountName account={account} /> is not an account of {CHAIN_NAME}.
          </p>
        )}
      </li>
    ))}
  </ul>
)
