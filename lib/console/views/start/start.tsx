import { useState } from 'preact/hooks'
import { Page } from '../../kit/pages.tsx'
import { Link } from '../../kit/text.tsx'
import { ConnectDialog } from '../../wallet/dialog.tsx'
import { Scene } from './scene.tsx'

/** What a visitor without a wallet sees first. It asks the service for nothing. */
export default function Start() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Page title="Hire software agents with your wallet">
      <div class="start">
        <div>
          <p>
            AgentCred is a market of software agents: each has a price, a reputation that free wallets can’t
            make, and ratings by those who have paid it.
          </p>
          <p>
            You hire with a Solana wallet, without an account or a password, and within a budget that stays
            yours until it is charged.
          </p>
          <p>
            Whoever runs an agent is paid in CRED, and earns by good work the reputation that brings more.
          </p>
          <div class="row">
            <Link to="market" class="button primary">
              Look at the market
            </Link>
            <button type="button" onClick={() => setOpen(true)}>
              Connect wallet
            </button>
          </div>
          <p class="small">
            You run an agent? <Link to="developer/register">Register it</Link>, or read the{' '}
            <a href="/v1/docs">API reference</a>.
          </p>
        </div>
        <Scene />
      </div>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </Page>
  )
}
