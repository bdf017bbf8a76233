import type { PaymentTotals } from '../../../client/generated/types.ts'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { type Columns, Table } from '../../kit/table.tsx'
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
            <Table
              caption={KINDS[filter.kind]}
              columns={columnsOf({ kind: filter.kind, side, mint, onChanged: reload })}
              rows={entries}
              keyOf={({ entry }) => entry.id}
            />
            <Export side={side} filter={filter} />
          </>
        )}
      </Listed>
    </section>
  )
}

function columnsOf({
  kind,
  side,
  mint,
  onChanged,
}: {
  kind: Filter['kind']
  side: Side
  mint: string | undefined
  onChanged: () => void
}): Columns<Entry> {
  return [
    {
      head: kind === 'charge' ? 'Charge' : 'Request',
      cell: ({ kind, entry }) =>
        kind === 'charge' ? (
          <>
            <Link to={`charges/${entry.id}`}>{entry.description || entry.reference}</Link>
            {entry.description && <p class="small">{entry.reference}</p>}
          </>
        ) : (
          (entry.priceName ?? 'a request')
        ),
    },
    {
      head: 'Agent',
      cell: ({ kind, entry }) => (
        <div>
          <Link to={`agents/${entry.agentId}`}>{entry.agentName}</Link>
          {kind === 'charge' && (
            <p class="small">
              <Link to={`hires/${entry.hireId}`}>Hire</Link>
            </p>
          )}
        </div>
      ),
    },
    { head: 'Amount', cell: (entry) => <Paid entry={entry} side={side} mint={mint} /> },
    {
      head: 'Status',
      cell: ({ kind, entry }) => (
        <div class="row">
          {kind === 'charge' ? <ChargeStatus charge={entry} /> : <PaymentStatus payment={entry} />}
          {kind === 'charge' && side === 'owner' && <VoidCharge charge={entry} onVoided={onChanged} />}
        </div>
      ),
    },
    { head: 'Recorded', cell: ({ entry }) => <Time at={entry.createdAt} /> },
    {
      head: side === 'owner' ? 'Payer' : 'Paid to',
      cell: ({ kind, entry }) => (
        <Wallet address={side === 'hirer' ? entry.owner : kind === 'charge' ? entry.hirer : entry.payer} />
      ),
    },
    {
      head: 'Transaction',
      cell: ({ entry }) => entry.signature && <Signature signature={entry.signature} />,
    },
  ]
}

/** Shows the amount of an entry, and what a fee or the owner's credit took of it. */
const Paid = ({
  entry: { kind, entry },
  side,
  mint,
}: {
  entry: Entry
  side: Side
  mint: string | undefined
}) => (
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
)
