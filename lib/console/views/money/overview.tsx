import type { ComponentChildren } from 'preact'
import type { PaymentTotals } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Failure } from '../../kit/loaded.tsx'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { Badge, Cred, Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import type { Side } from './filter.ts'
import { monthName, monthsUntil } from './months.ts'
import { credSum, sumOfMonth } from './sum.ts'

/** Shown before a figure is loaded. */
const PENDING = '…'

/** So many hire budgets are added up. */
const MOST_BUDGETS = 500

/** The totals of both sides, and when they were read. */
type Totals = Record<Side, PaymentTotals> & { at: number }

/** Shows the wallet's sums, each with what it leads to. */
export function Overview({ wallet, totals: { owner, hirer, at } }: { wallet: string; totals: Totals }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    wallet,
    async (signal) => {
      const [balances, budgets, vault] = await Promise.all([
        client.call('GET /payments/balances', { signal }),
        inBudgets(client, signal),
        LEFT_OUT.includes('vault')
          ? undefined
          : client.call('GET /vault', { query: { owner: wallet }, signal }).catch(noneYet),
      ])
      return { balances, budgets, staked: vault?.balances.cred ?? 0n }
    },
    ofKinds('budget', 'charge', 'credit', 'vault'),
  )
  const held = 'data' in loaded ? loaded.data : undefined
  const earned = credSum(owner.kinds)
  const [month = ''] = monthsUntil(at, 1)
  const [got, paid] = [sumOfMonth(owner, month), sumOfMonth(hirer, month)]
  return (
    <section aria-labelledby="overview">
      <h2 id="overview" class="visually-hidden">
        Overview
      </h2>
      {loaded.state === 'failed' && <Failure error={loaded.error} retry={reload} />}
      <dl class="tiles">
        <Tile name="Balance" note={held && `${formatCred(held.balances.sol)} SOL for network fees`}>
          {held ? <Cred amount={held.balances.cred} /> : PENDING}
        </Tile>
        <Tile name="You owe" note={hirer.unpaid > 0n && <Link to="hires">Fund your hires</Link>}>
          <Cred amount={hirer.unpaid} /> {hirer.unpaid > 0n && <Badge tone="warn">due</Badge>}
        </Tile>
        <Tile name="Earned" note={earned.fee > 0n && `after ${formatCred(earned.fee)} CRED of fees`}>
          <Cred amount={earned.net} />
        </Tile>
        <Tile name="To collect" note={owner.unpaid > 0n && fundedText(owner)}>
          <Cred amount={owner.unpaid} /> {owner.funded > 0n && <a href="#accounts">Collect</a>}
        </Tile>
        <Tile
          name="In hire budgets"
          note={
            held?.budgets.isPartial ? `in your ${MOST_BUDGETS} oldest budgets` : 'yours until it is collected'
          }
        >
          {held ? <Cred amount={held.budgets.sum} /> : PENDING}
        </Tile>
        {!LEFT_OUT.includes('vault') && (
          <Tile name="Staked" note={<Link to="vault">View stakes</Link>}>
            {held ? <Cred amount={held.staked} /> : PENDING}
          </Tile>
        )}
      </dl>
      <p>
        {monthName(month, 'long')}: <Cred amount={got.net} /> earned, <Cred amount={paid.amount} /> spent.
      </p>
    </section>
  )
}

const fundedText = ({ unpaid, funded }: PaymentTotals): string =>
  funded === unpaid
    ? 'from hirers with a hire budget'
    : funded === 0n
      ? 'your hirers have no hire budget yet'
      : `${formatCred(funded)} CRED of it from hirers with a hire budget`

/** Adds up the balances of the wallet's hire budgets. */
async function inBudgets(client: ReturnType<typeof useConnection>['client'], signal: AbortSignal) {
  let [sum, count] = [0n, 0]
  for await (const { balance } of client.list('GET /payments/budgets', { query: { limit: 100 }, signal })) {
    if (count === MOST_BUDGETS) return { sum, isPartial: true }
    sum += balance
    count += 1
  }
  return { sum, isPartial: false }
}

const Tile = ({
  name,
  note,
  children,
}: {
  name: string
  note?: ComponentChildren
  children: ComponentChildren
}) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>
      {children}
      {note && <p class="small">{note}</p>}
    </dd>
  </div>
)
