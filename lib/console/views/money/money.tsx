import { useRef } from 'preact/hooks'
import type { PaymentTotals } from '../../../client/generated/types.ts'
import { Show } from '../../kit/loaded.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { ofKinds } from '../../live/about.ts'
import { show } from '../../router.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Collect } from './collect.tsx'
import { Entries } from './entries.tsx'
import type { Side } from './filter.ts'
import { JobsDue } from './jobs-due.tsx'
import { Overview } from './overview.tsx'
import { Sums } from './sums.tsx'

/** Shows what the wallet has, earns, owes and pays. */
export default function MoneyView({ query }: ViewProps) {
  return (
    <Page
      title="Money"
      lead="What you have, earn, owe and pay. Collect what your agents have earned, and get back what jobs did not cost."
    >
      <NeedsWallet why="Connect a wallet to see your money.">
        {(wallet) => <Owner key={wallet} wallet={wallet} query={query} />}
      </NeedsWallet>
    </Page>
  )
}

/** @param query names the side, and what its entries are filtered by */
function Owner({ wallet, query }: { wallet: string; query: URLSearchParams }) {
  const { client, now } = useConnection()
  const { loaded, reload } = useLoaded(
    wallet,
    async (signal) => {
      const of = (role: Side) => client.call('GET /payments/totals', { query: { role }, signal })
      const [owner, hirer] = await Promise.all([of('owner'), of('hirer')])
      return { owner, hirer, at: now() }
    },
    ofKinds('charge', 'payment', 'job'),
  )
  // What the visitor gets here changes the sums, and must not change what is shown.
  const { current: shown } = useRef({ side: undefined as Side | undefined, withJobs: new Set<Side>() })
  return (
    <Show loaded={loaded} reload={reload}>
      {(totals) => {
        const { owner, hirer } = totals
        const chosen = query.get('side') ?? ''
        shown.side ??= usualSide(owner, hirer)
        const side = Object.hasOwn(SIDES, chosen) ? (chosen as Side) : shown.side
        if (totals[side].jobsDue > 0n) shown.withJobs.add(side)
        return (
          <>
            <Overview wallet={wallet} totals={totals} side={side} />
            <Sides side={side} />
            {shown.withJobs.has(side) && (
              <JobsDue key={`jobs ${side}`} side={side} due={totals[side].jobsDue} onPaid={reload} />
            )}
            {side === 'owner' && <Collect onCollected={reload} />}
            <Sums key={`sums ${side}`} totals={totals[side]} now={totals.at} />
            <Entries
              key={`entries ${side}`}
              side={side}
              totals={totals[side]}
              now={totals.at}
              query={query}
            />
          </>
        )
      }}
    </Show>
  )
}

const SIDES: Record<Side, string> = { owner: 'Earned', hirer: 'Spent' }

/** Returns the owner's side, unless the wallet has only paid. */
function usualSide(owner: PaymentTotals, hirer: PaymentTotals): Side {
  const isUsed = ({ kinds, unpaidCharges, jobsHeld, jobsDue }: PaymentTotals) =>
    kinds.length + unpaidCharges > 0 || jobsHeld + jobsDue > 0n
  return isUsed(hirer) && !isUsed(owner) ? 'hirer' : 'owner'
}

const Sides = ({ side }: { side: Side }) => (
  <fieldset class="sides">
    <legend class="visually-hidden">Side</legend>
    {(Object.entries(SIDES) as [Side, string][]).map(([value, label]) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === side}
        onClick={() => show(`earnings?side=${value}`, { replace: true })}
      >
        {label}
      </button>
    ))}
  </fieldset>
)
