import type { PaymentTotals } from '../../../client/generated/types.ts'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { type Columns, Table } from '../../kit/table.tsx'
import { Badge, Cred, Link, Signature, Time, Wallet } from '../../kit/text.tsx'
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
import { type Filter, KINDS, type Kind, type Side } from './filter.ts'
import { jobPayment } from './job-payment.ts'
import { monthName, monthsUntil } from './months.ts'

const STATUSES = { all: 'All', recorded: 'Due', collected: 'Paid', voided: 'Voided' } as const

const NONE = {
  charge: 'No charges here.',
  request: 'No payments for requests here.',
  job: 'No jobs here that have paid an agent.',
} as const
const HOW_TO_BEGIN = {
  owner: {
    charge: 'To charge a hirer, open the agent’s page.',
    request: 'What programs pay for requests to your agents will appear here.',
    job: 'What ended jobs pay your agents will appear here.',
  },
  hirer: {
    charge: 'What agents charge you for their work will appear here.',
    request: 'What you pay agents for requests will appear here.',
    job: 'What ended jobs cost you will appear here.',
  },
} as const

/** Reads a filter from the page's address. What it does not know restricts nothing. */
function filterOf(query: URLSearchParams): Filter {
  const [kind, status, agentId, month] = ['kind', 'status', 'agentId', 'month'].map(
    (name) => query.get(name) ?? '',
  )
  return {
    kind: kind && Object.hasOwn(KINDS, kind) ? (kind as Kind) : 'charge',
    status: status && Object.hasOwn(STATUSES, status) ? (status as Filter['status']) : 'all',
    agentId: agentId && UUID.test(agentId) ? agentId : 'all',
    month: month && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : 'all',
  }
}

/** Lists a side's charges, its payments for requests, or its paid jobs, each with its page and transaction. */
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
        <SelectField
          name="kind"
          label="Kind"
          choices={KINDS}
          value={filter.kind}
          change={(kind) => change({ kind })}
        />
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
          label={filter.kind === 'job' ? 'Ordered in' : 'Recorded in'}
          choices={{
            all: 'Any month',
            ...Object.fromEntries(months.map((month) => [month, monthName(month, 'long')])),
          }}
          value={filter.month}
          change={(month) => change({ month })}
        />
      </div>
      <Listed
        listKey={`${address} ${side} ${totals.unpaid} ${totals.jobsDue}`}
        filter={JSON.stringify(filter)}
        ask={(cursor, signal) => readEntries(client, side, filter, { cursor, signal })}
        isAbout={ofKinds(filter.kind === 'request' ? 'payment' : filter.kind)}
        empty={
          <Empty title={NONE[filter.kind]}>
            <p>{HOW_TO_BEGIN[side][filter.kind]}</p>
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
    { head: HEADS[kind], cell: (entry) => <What of={entry} /> },
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
      cell: (entry) => (
        <div class="row">
          <Status of={entry} />
          {entry.kind === 'charge' && side === 'owner' && (
            <VoidCharge charge={entry.entry} onVoided={onChanged} />
          )}
        </div>
      ),
    },
    {
      head: kind === 'job' ? 'Ordered' : 'Recorded',
      cell: ({ entry }) => <Time at={entry.createdAt} />,
    },
    side === 'owner'
      ? {
          head: 'Payer',
          cell: ({ kind, entry }) => <Wallet address={kind === 'request' ? entry.payer : entry.hirer} />,
        }
      : { head: 'Paid to', cell: (entry) => isPaid(entry) && <Wallet address={entry.entry.owner} /> },
    ...(kind === 'job'
      ? []
      : [
          {
            head: 'Transaction',
            cell: ({ kind, entry }: Entry) =>
              kind !== 'job' && entry.signature && <Signature signature={entry.signature} />,
          },
        ]),
  ]
}

const HEADS = { charge: 'Charge', request: 'Request', job: 'Job' } as const

/** Names what was paid for, with its page. */
function What({ of: { kind, entry } }: { of: Entry }) {
  if (kind === 'request') return <>{entry.priceName ?? 'a request'}</>
  if (kind === 'job') return <Link to={`jobs/${entry.id}`}>{entry.title || 'Deleted by an operator'}</Link>
  return (
    <>
      <Link to={`charges/${entry.id}`}>{entry.description || entry.reference}</Link>
      {entry.description && <p class="small">{entry.reference}</p>}
    </>
  )
}

function Status({ of: { kind, entry } }: { of: Entry }) {
  if (kind === 'charge') return <ChargeStatus charge={entry} />
  if (kind === 'request') return <PaymentStatus payment={entry} />
  const { tone, words } = jobPayment(entry)
  return <Badge tone={tone}>{words}</Badge>
}

/** Whether the agent's owner has the money. */
const isPaid = ({ kind, entry }: Entry): boolean =>
  kind === 'job' ? entry.paidAt !== undefined : ['collected', 'settled'].includes(entry.status)

/** Shows the amount of an entry, and what a fee or the owner's credit took of it. */
function Paid({
  entry: { kind, entry },
  side,
  mint,
}: {
  entry: Entry
  side: Side
  mint: string | undefined
}) {
  const { amount, fee } = kind === 'job' ? jobPayment(entry) : { fee: undefined, ...entry }
  return (
    <div>
      <Amount amount={amount} asset={kind === 'request' && entry.asset !== mint ? entry.asset : undefined} />
      {fee !== undefined && (
        <p class="small">
          {side === 'owner' ? (
            <>
              <Cred amount={amount - fee} /> after a fee of <Cred amount={fee} />
            </>
          ) : (
            <>
              includes a fee of <Cred amount={fee} />
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
}
