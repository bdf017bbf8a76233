import { useState } from 'preact/hooks'
import { SelectField } from '../kit/inputs.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { Charges } from './charges.tsx'
import { Accounts } from './earnings-accounts.tsx'
import { Collector } from './earnings-collector.tsx'

/** What the wallet's agents have earned, and how it is collected. */
export default function EarningsView() {
  return (
    <Page
      title="Earnings"
      lead="What your agents’ hirers owe. You charge for work on the page of each agent; here you are paid."
    >
      <NeedsWallet why="What you earn is paid to your wallet.">
        {(owner) => <Owner key={owner} />}
      </NeedsWallet>
    </Page>
  )
}

function Owner() {
  const [turn, setTurn] = useState(0)
  return (
    <>
      <Collector />
      <Accounts collected={() => setTurn(turn + 1)} />
      <AllCharges turn={turn} />
    </>
  )
}

const STATUSES = { all: 'all', recorded: 'due', collected: 'paid', voided: 'taken back' } as const

function AllCharges({ turn }: { turn: number }) {
  const [status, setStatus] = useState<keyof typeof STATUSES>('all')
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charges</h2>
      <div class="row">
        <SelectField name="status" label="Show" choices={STATUSES} value={status} change={setStatus} />
      </div>
      <Charges query={{ role: 'owner', ...(status !== 'all' && { status }) }} turn={turn} />
    </section>
  )
}
