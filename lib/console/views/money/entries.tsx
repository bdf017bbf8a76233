import type { PaymentTotals } from '../../../client/generated/types.ts'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred, Link, Signature, Time, Wallet } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofKinds } from '../../live/about.ts'
import { show } from '../../router.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { ChargeStatus, VoidCharge } from '../hires/charges.tsx'
import { Amount } from '../selling/amount.tsx'
import { PaymentStatus } from '../selling/payments.tsx'
import type { Entry } from './csv.ts'
import { readEntries } from './entries-query.ts'
import { Export } from './export.tsx'
import type { Filter, Side } from './filter.ts'
import { monthName, monthsUntil } from './months.ts'

const KINDS = { charge: 'Charges', request: 'Requests' } as const
const STATUSES = { all: 'All', recorded: 'Due', collected: 'Paid', voided: 'Voided' } as const

/** Reads a filter from the page's address. What it does not know restricts nothing. */
function filterOf(query: URLSearchParams): Filter {
  const [status, agentId, month] = ['status', 'agentId', 'month'].map((name) => query.get(name) ?? '')
  return {
    kind: query.get('kind') === 'request' ? 'request' : 'charge',
    status: status && Object.hasOwn(STATUSES, status) ? (status as Filter['status']) : 'all',
    agentId: agentId && UUID.test(agentId) ? agentId : 'all',
    month: month && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : 'all',
  }
}

/** Lists a side's charges, or its payments for requests, each with its object and its transaction. */
export function Entries({
  side,
  totals,
  now,
  query,
}: {
  side: Side
  totals: PaymentTotals
  now: number
  query: URLSearchParams
}) {
  const { client, address = '' } = useConnection()
  const filter = filterOf(query)
  const change = (changes: Partial<Filter>) => {
    const chosen = Object.entries({ ...filter, ...changes }).filter(([, value]) => value !== 'all')
    show(`earnings?${new URLSearchParams([['side', side], ...chosen])}`, { replace: true })
  }
  const { loaded } = useLoaded('mint', (signal) => client.call('GET /payments/deployment', { signal }))
  const mint = 'data' in loaded ? loaded.data?.mint : undefined
  const agents = Object.fromEntries(totals.agents.map(({ agentId, agentName }) => [agentId, agentName]))
  const months = monthsUntil(now, 12).reverse()
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{side === 'owner' ? 'Income' : 'Expenses'}</h2>
      <div class="row">
        {!LEFT_OUT.includes('selling') && (
          <SelectField
            name="kind"
            label="Kind"
            choices={KINDS}
            value={filter.kind}
            change={(kind) => change({ kind })}
          />
        )}
        {filter.kind === 'charge' && (
          <SelectField
            name="status"
            label="Status"
            choices={STATUSES}
            value={filter.status}
            change={(status) => change({ status })}
          />
        )}
        <SelectField
          name="agent"
          label="Agent"
          choices={{ all: 'All agents', ...agents }}
          value={filter.agentId}
          change={(agentId) => change({ agentId })}
        />
        <SelectField
          name="month"
          label="Recorded in"
          choices={{
            all: 'Any month',
            ...Object.fromEntries(months.map((month) => [month, monthName(month, 'long')])),
          }}
          value={filter.month}
          change={(month) => change({ month })}
        />
      </div>
      <Listed
        listKey={`${address} ${side} ${totals.unpaid}`}
        filter={JSON.stringify(filter)}
        ask={(cursor, signal) => readEntries(client, side, filter, { cursor, signal })}
        isAbout={ofKinds(filter.kind === 'charge' ? 'charge' : 'payment')}
        empty={
          <Empty title={filter.kind === 'charge' ? 'No charges here.' : 'No payments for requests here.'}>
            <p>
              {side === 'owner'
                ? 'To charge a hirer, open the agent’s page.'
                : 'What agents charge you for their work will appear here.'}
            </p>
          </Empty>
        }
      >
        {(entries, reload) => (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <div class="table stacked" tabIndex={0}>
              <table>
                <caption class="visually-hidden">{KINDS[filter.kind]}</caption>
                <thead>
                  <tr>
                    <th scope="col">{filter.kind === 'charge' ? 'Charge' : 'Request'}</th>
                    <th scope="col">Agent</th>
                    <th scope="col">Amount</th>
                    <th scope="col">Status</th>
                    <th scope="col">Recorded</th>
                    <th scope="col">{side === 'owner' ? 'Payer' : 'Paid to'}</th>
                    <th scope="col">Transaction</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry) => (
                    <Row key={entry.entry.id} entry={entry} side={side} mint={mint} onChanged={reload} />
                  ))}
                </tbody>
              </table>
            </div>
            <Export side={side} filter={filter} />
          </>
        )}
      </Listed>
    </section>
  )
}

function Row({
  entry: { kind, entry },
  side,
  mint,
  onChanged,
}: {
  entry: Entry
  side: Side
  mint: string | undefined
  onChanged: () => void
}) {
  const payer = kind === 'charge' ? entry.hirer : entry.payer
  return (
    <tr>
      <th scope="row">
        {kind === 'charge' ? (
          <>
            <Link to={`charges/${entry.id}`}>{entry.description || entry.reference}</Link>
            {entry.description && <p class="small">{entry.reference}</p>}
          </>
        ) : (
          (entry.priceName ?? 'a request')
        )}
      </th>
      <td data-label="Agent">
        <div>
          <Link to={`agents/${entry.agentId}`}>{entry.agentName}</Link>
          {kind === 'charge' && (
            <p class="small">
              <Link to={`hires/${entry.hireId}`}>Hire</Link>
            </p>
          )}
        </div>
      </td>
      <td data-label="Amount">
        <div>
          <Amount
            amount={entry.amount}
            asset={kind === 'request' && entry.asset !== mint ? entry.asset : undefined}
          />
          {kind === 'charge' && entry.fee !== undefined && (
            <p class="small">
              {side === 'owner' ? (
                <>
                  <Cred amount={entry.amount - entry.fee} /> after a fee of <Cred amount={entry.fee} />
                </>
              ) : (
                <>
                  includes a fee of <Cred amount={entry.fee} />
                </>
              )}
            </p>
          )}
          {kind === 'request' && entry.debit !== undefined && entry.status !== 'expired' && (
            <p class="small">
              credit used <Cred amount={entry.debit} />
            </p>
          )}
        </div>
      </td>
      <td data-label="Status">
        <div class="row">
          {kind === 'charge' ? <ChargeStatus charge={entry} /> : <PaymentStatus payment={entry} />}
          {kind === 'charge' && side === 'owner' && <VoidCharge charge={entry} onVoided={onChanged} />}
        </div>
      </td>
      <td data-label="Recorded">
        <Time at={entry.createdAt} />
      </td>
      <td data-label={side === 'owner' ? 'Payer' : 'Paid to'}>
        <Wallet address={side === 'owner' ? payer : entry.owner} />
      </td>
      <td data-label="Transaction">{entry.signature && <Signature signature={entry.signature} />}</td>
    </tr>
  )
}
