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
import { Overview } from './overview.tsx'
import { Sums } from './sums.tsx'

/** Shows what the wallet has, earns, owes and pays. */
export default function MoneyView({ query }: ViewProps) {
  return (
    <Page
      title="Money"
      lead="What you have, earn, owe and pay. Collect what hirers owe for your agents’ work."
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
    ofKinds('charge', 'payment'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {(totals) => {
        const { owner, hirer } = totals
        const side = sideOf(query.get('side'), owner, hirer)
        return (
          <>
            <Overview wallet={wallet} totals={totals} />
            <Sides side={side} />
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

/** Returns the chosen side; by default the owner's, unless the wallet has only paid. */
function sideOf(chosen: string | null, owner: PaymentTotals, hirer: PaymentTotals): Side {
  if (chosen !== null && Object.hasOwn(SIDES, chosen)) return chosen as Side
  const isUsed = ({ kinds, unpaidCharges }: PaymentTotals) => kinds.length + unpaidCharges > 0
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
