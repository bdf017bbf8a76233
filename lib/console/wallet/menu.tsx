import { useState } from 'preact/hooks'
import { AccountName } from './accounts.tsx'
import { useConnection } from './connection.tsx'
import { ConnectDialog } from './dialog.tsx'
import type { Chosen } from './standing.ts'
import { isUsable } from './wallets.ts'

/** The header's button: connects a wallet, or shows the account that is connected. */
export function WalletMenu() {
  const { standing } = useConnection()
  const [isOpen, setOpen] = useState(false)
  if (standing.state === 'connected') return <AccountMenu key={standing.account.address} {...standing} />
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Connect wallet
      </button>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </>
  )
}

/** The connected account, and what can be done about it. */
function AccountMenu({ wallet, account }: Chosen) {
  const { disconnect } = useConnection()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <details class="menu">
      <summary>
        <AccountName account={account} />
      </summary>
      <div class="menu-body">
        <p class="small">Connected by {wallet.name}</p>
        <button type="button" onClick={() => navigator.clipboard.writeText(account.address)}>
          Copy address
        </button>
        {wallet.accounts.filter(isUsable).length > 1 && (
          <button type="button" onClick={() => setChoosing(true)}>
            Another account…
          </button>
        )}
        <button type="button" onClick={disconnect}>
          Disconnect
        </button>
      </div>
      {isChoosing && <ConnectDialog close={() => setChoosing(false)} of={wallet} />}
    </details>
  )
}
