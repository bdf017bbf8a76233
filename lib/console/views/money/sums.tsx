import type { PaymentTotals } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Table } from '../../kit/table.tsx'
import { Cred, Link } from '../../kit/text.tsx'
import { formatNumber } from '../../locale.ts'
import { Amount } from '../selling/amount.tsx'
import { monthName, monthsUntil } from './months.ts'
import { byAgent, paidWords, sumOfMonth } from './sum.ts'

const MONTHS = 12

/** Shows what a side was paid, or has paid: by month, and by agent and kind. */
export const Sums = ({ totals, now }: { totals: PaymentTotals; now: number }) =>
  totals.kinds.length === 0 ? (
    <section aria-labelledby="so-far">
      <h2 id="so-far">{totals.role === 'owner' ? 'Earned so far' : 'Spent so far'}</h2>
      <Empty
        title={
          totals.role === 'owner'
            ? 'Nothing was paid to your agents yet.'
            : 'No agent has received anything from you yet.'
        }
      />
    </section>
  ) : (
    <>
      <Months totals={totals} now={now} />
      <Agents totals={totals} />
    </>
  )

function Months({ totals, now }: { totals: PaymentTotals; now: number }) {
  const months = monthsUntil(now, MONTHS).map((month) => {
    const { amount, net } = sumOfMonth(totals, month)
    return { month, sum: totals.role === 'owner' ? net : amount }
  })
  const most = months.reduce((top, { sum }) => (sum > top ? sum : top), 1n)
  const verb = totals.role === 'owner' ? 'earned' : 'spent'
  const best = months.find(({ sum }) => sum === most)
  return (
    <figure class="bars months" aria-labelledby="by-month">
      <h3 id="by-month">
        By month <span class="small">CRED {verb}</span>
      </h3>
      <ol aria-hidden="true">
        {months.map(({ month, sum }) => (
          <li key={month} title={`${monthName(month, 'long')}: ${formatCred(sum)} CRED`}>
            <span class={sum === most ? 'value top' : 'value'}>{sum > 0n && compact(sum)}</span>
            <span class="bar" style={{ height: `${Number((sum * 1_000n) / most) / 10}%` }} />
            <span class="name">{monthName(month, 'short')}</span>
          </li>
        ))}
      </ol>
      <figcaption class="small">
        {best
          ? `Most in ${monthName(best.month, 'long')}: ${formatCred(best.sum)} CRED ${verb}.`
          : `Nothing was ${verb} in the last ${MONTHS} months.`}
      </figcaption>
      <Disclosure summary="Show as a table">
        <table>
          <caption class="visually-hidden">CRED {verb} by month</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">CRED {verb}</th>
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map(({ month, sum }) => (
              <tr key={month}>
                <th scope="row">{monthName(month, 'long')}</th>
                <td>
                  <Cred amount={sum} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </figure>
  )
}

/** Writes an amount of CRED for a narrow place: 1.2K. */
const compact = (amount: bigint): string =>
  formatNumber(Number(amount) / 1e9, { notation: 'compact', maximumSignificantDigits: 3 })

function Agents({ totals: { agents, kinds, role } }: { totals: PaymentTotals }) {
  const isOwner = role === 'owner'
  const received = ({ amount, fee = 0n }: { amount: bigint; fee?: bigint | undefined }) =>
    isOwner ? amount - fee : amount
  return (
    <section aria-labelledby="by-agent">
      <h2 id="by-agent">By agent</h2>
      {kinds.length > 1 && (
        <ul aria-label="By kind">
          {kinds.map((sum) => (
            <li key={`${sum.kind} ${sum.asset}`}>
              <Amount asset={sum.asset} amount={received(sum)} /> for {paidWords(sum)}
            </li>
          ))}
        </ul>
      )}
      <Table
        caption={`${isOwner ? 'Earned' : 'Spent'} by agent`}
        columns={[
          {
            head: 'Agent',
            cell: ({ agentId, agentName }) => <Link to={`agents/${agentId}`}>{agentName}</Link>,
          },
          { head: 'For', cell: ({ words }) => words },
          {
            head: isOwner ? 'Earned' : 'Spent',
            cell: (sum) => <Amount asset={sum.asset} amount={received(sum)} />,
          },
          { head: 'Fees', cell: (sum) => <Fees sum={sum} isOwner={isOwner} /> },
          { head: 'This month', cell: ({ asset, thisMonth }) => <Amount asset={asset} amount={thisMonth} /> },
        ]}
        rows={byAgent(agents)}
        keyOf={({ key }) => key}
      />
      {agents.length === 100 && <p class="small">These are the agents with the largest sums.</p>}
    </section>
  )
}

const Fees = ({
  sum: { fee, debit },
  isOwner,
}: {
  sum: { fee: bigint | undefined; debit: bigint | undefined }
  isOwner: boolean
}) => (
  <>
    {fee !== undefined && (
      <>
        <Cred amount={fee} /> {!isOwner && <span class="small">included</span>}
      </>
    )}
    {fee !== undefined && debit !== undefined && ', '}
    {debit !== undefined && (
      <>
        <Cred amount={debit} /> <span class="small">of credit</span>
      </>
    )}
    {fee === undefined && debit === undefined && 'none'}
  </>
)
