import { Wallet } from '../kit/text.tsx'
import { AccountChoices } from './accounts.tsx'
import { useConnection } from './connection.tsx'
import { ofSolana } from './wallets.ts'

/** Says that the wallet has taken the connected account away, and offers those that it still shows. */
export function AccountGone() {
  const { standing, connect, disconnect } = useConnection()
  if (standing.state !== 'gone') return null
  const { wallet, address } = standing
  const others = ofSolana(wallet.accounts)
  return (
    <section class="notice account-gone" role="alert">
      <p>
        <strong>
          You are signed out: {wallet.name} does not show this page the account <Wallet address={address} />{' '}
          any more.
        </strong>
      </p>
      {others.length > 0 ? (
        <>
          <p>Go on with another of its accounts, or show it that one again and connect.</p>
          <AccountChoices accounts={others} choose={(account) => connect({ wallet, account })} />
        </>
      ) : (
        <p>To go on, allow the account for this page in the wallet, then connect again.</p>
      )}
      <button type="button" onClick={disconnect}>
        Close
      </button>
    </section>
  )
}
