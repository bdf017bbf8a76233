import { useState } from 'preact/hooks'
import { useAction } from '../kit/action.ts'
import { Button } from '../kit/button.tsx'
import { Copy } from '../kit/copy.tsx'
import { Failure } from '../kit/loaded.tsx'
import { Menu } from '../kit/menu.tsx'
import { Address, Link } from '../kit/text.tsx'
import { OTHERS, VIEWS } from '../views.ts'
import { useConnection } from './connection.tsx'
import { AccountChoices, AccountName, ConnectDialog, focusContent } from './dialog.tsx'
import { Funds } from './funds.tsx'
import type { Chosen } from './wallet-state.ts'
import { isUsable, ofSolana } from './wallets.ts'

/**
 * The header's button: connects a wallet, or shows the account that is connected.
 * @param isAlone leaves out links to views
 */
export function WalletMenu({ isAlone }: { isAlone: boolean }) {
  const { walletState } = useConnection()
  const [isOpen, setOpen] = useState(false)
  if (walletState.state === 'connected')
    return <AccountMenu key={walletState.account.address} {...walletState} isAlone={isAlone} />
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Connect wallet
      </button>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </>
  )
}

/** The connected account, and its actions. */
function AccountMenu({ wallet, account, isAlone }: Chosen & { isAlone: boolean }) {
  const { client, disconnect } = useConnection()
  const [isChoosing, setChoosing] = useState(false)
  function leave() {
    focusContent()
    disconnect()
  }
  const { isBusy, error, run } = useAction(async () => {
    await client.revoke()
    leave()
  })
  return (
    <Menu button={<AccountName account={account} />}>
      {(isOpen) => (
        <>
          <div class="menu-body">
            <p class="small">Connected with {wallet.name}</p>
            {isOpen && <Funds address={account.address} />}
            <Copy text={account.address} label="Copy address" />
            {wallet.accounts.filter(isUsable).length > 1 && (
              <button type="button" onClick={() => setChoosing(true)}>
                Switch account…
              </button>
            )}
            {!isAlone &&
              [...OTHERS, 'apps' as const].map((name) => (
                <Link key={name} to={name} class="button">
                  {VIEWS[name]?.title}
                </Link>
              ))}
            <button type="button" onClick={leave}>
              Disconnect
            </button>
            <Button isBusy={isBusy} onClick={run}>
              Sign out everywhere
            </Button>
            <p class="small">Ends every session of this wallet, including other tabs, devices and scripts.</p>
            {error && <Failure error={error} />}
          </div>
          {isChoosing && <ConnectDialog close={() => setChoosing(false)} wallet={wallet} />}
        </>
      )}
    </Menu>
  )
}

/** Says that the wallet has taken the connected account away, and offers the accounts that it still shows. */
export function AccountGone() {
  const { walletState, connect, disconnect } = useConnection()
  if (walletState.state !== 'gone') return null
  const { wallet, address } = walletState
  const others = ofSolana(wallet.accounts)
  return (
    <section class="notice across account-gone" role="alert">
      <p>
        <strong>
          You are signed out: {wallet.name} no longer shares the account <Address address={address} /> with
          this page.
        </strong>
      </p>
      {others.length > 0 ? (
        <>
          <p>Continue with another account, or share that account again in the wallet and reconnect.</p>
          <AccountChoices
            accounts={others}
            choose={(account) => {
              focusContent()
              connect({ wallet, account })
            }}
          />
        </>
      ) : (
        <p>Share an account with this page in the wallet, then connect again.</p>
      )}
      <button
        type="button"
        onClick={() => {
          focusContent()
          disconnect()
        }}
      >
        Close
      </button>
    </section>
  )
}
