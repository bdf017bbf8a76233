import { useState } from 'preact/hooks'
import { Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Wallet } from '../kit/text.tsx'
import { show } from '../router.ts'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'
import { Attestations } from './reputation-attestations.tsx'
import { Parts } from './reputation-parts.tsx'
import { Rules } from './reputation-rules.tsx'

/** A wallet's standing: one's own, or that of the wallet in the address. */
export default function ReputationView({ id }: ViewProps) {
  return (
    <Page
      title="Reputation"
      lead="A score of up to 1,000 in five parts. Wallets cost nothing, so what is free counts for little: payments, proofs and time count."
    >
      {id ? (
        <Standing wallet={id} />
      ) : (
        <NeedsWallet why="Your standing belongs to your wallet.">
          {(address) => <Standing wallet={address} />}
        </NeedsWallet>
      )}
      <Rules />
      <Lookup />
    </Page>
  )
}

function Standing({ wallet }: { wallet: string }) {
  const { client, address } = useConnection()
  const { loaded, reload } = useLoaded(wallet, (signal) =>
    client.call('GET /reputation', { query: { user_id: wallet }, signal }),
  )
  const isOwn = wallet === address
  return (
    <Show loaded={loaded} reload={reload}>
      {(reputation) => (
        <>
          <p>
            {isOwn ? 'Your wallet' : 'Wallet'} <Wallet address={wallet} />
          </p>
          <Parts reputation={reputation} />
          <Attestations attestations={reputation.attestations} isOwn={isOwn} changed={reload} />
        </>
      )}
    </Show>
  )
}

/** Anybody's standing can be looked at. */
function Lookup() {
  const [wallet, setWallet] = useState('')
  return (
    <section aria-labelledby="lookup">
      <h2 id="lookup">Another wallet</h2>
      <Form
        label="Show its standing"
        isDisabled={wallet.trim() === ''}
        action={async () => show(`reputation/${wallet.trim()}`)}
      >
        <TextField name="user_id" label="Wallet" hint="Its public key" value={wallet} change={setWallet} />
      </Form>
    </section>
  )
}
