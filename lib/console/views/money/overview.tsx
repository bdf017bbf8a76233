import type { ComponentChildren } from 'preact'
import type { PaymentTotals } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { afterFee } from '../../kit/amounts.ts'
import { useFeeBps } from '../../kit/fee.tsx'
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
export function Overview({
  wallet,
  totals: { owner, hirer, at },
  side,
}: {
  wallet: string
  totals: Totals
  side: Side
}) {
  const { client } = useConnection()
  const feeBps = useFeeBps()
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
    ofKinds('budget', 'charge', 'credit', 'job', 'vault'),
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
        <Tile name="To collect" note={feeBps !== undefined && toCollectText(owner, feeBps)}>
          {feeBps === undefined ? PENDING : <Cred amount={toCollect(owner, feeBps)} />}{' '}
          {owner.funded + owner.jobsDue > 0n && <Way side="owner" now={side} />}
        </Tile>
        <Tile
          name="In your hire budgets"
          note={
            held?.budgets.isPartial ? `in your ${MOST_BUDGETS} oldest budgets` : 'yours until it is collected'
          }
        >
          {held ? <Cred amount={held.budgets.sum} /> : PENDING}
        </Tile>
        <Tile name="In job escrow" note={hirer.jobsHeld > 0n && <Link to="jobs">Jobs that you ordered</Link>}>
          <Cred amount={hirer.jobsHeld} />
        </Tile>
        {hirer.jobsDue > 0n && (
          <Tile name="To get back" note="from jobs that have ended">
            <Cred amount={hirer.jobsDue} /> <Way side="hirer" now={side} />
          </Tile>
        )}
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

/** Leads to the list of what a side can get now, below. */
const Way = ({ side, now }: { side: Side; now: Side }) =>
  side === now ? <a href="#waiting">Show</a> : <Link to={`earnings?side=${side}`}>Show</Link>

/** Returns how much of all that is due the owner receives. */
const toCollect = ({ unpaid, jobsDue, jobsDueFee = 0n }: PaymentTotals, feeBps: number): bigint =>
  afterFee(unpaid, feeBps) + jobsDue - jobsDueFee

/** Says what the sum to collect is of, and what of it is not funded. */
function toCollectText(owner: PaymentTotals, feeBps: number): string | false {
  const { unpaid, funded, jobsHeld } = owner
  const unfunded = unpaid - funded
  const sentences = [
    ...(toCollect(owner, feeBps) > 0n ? ['after the fee'] : []),
    ...(unfunded > 0n
      ? [`${formatCred(afterFee(unfunded, feeBps))} CRED of it from hirers without a hire budget`]
      : []),
    ...(jobsHeld > 0n ? [`${formatCred(jobsHeld)} CRED more in escrow of your agents’ jobs`] : []),
  ]
  return sentences.length > 0 && sentences.join('; ')
}

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
