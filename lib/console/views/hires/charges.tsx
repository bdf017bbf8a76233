import type { ComponentChildren } from 'preact'
import type { Charge } from '../../../client/generated/types.ts'
import type { RequestOf } from '../../../client/operations.ts'
import { Confirmed } from '../../kit/disclosure.tsx'
import { SelectField } from '../../kit/inputs.tsx'
import { layerName } from '../../kit/layers.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { type Columns, Table } from '../../kit/table.tsx'
import { Badge, Cred, Link, Time, Wallet } from '../../kit/text.tsx'
import { Excerpt } from '../../kit/user-text.tsx'
import { ofHire, ofKinds } from '../../live/about.ts'
import { show } from '../../router.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { CHARGE_STATUSES } from './charge-status.ts'

type Query = Omit<RequestOf<'GET /payments/charges'>['query'], 'cursor'>

/** The choices of a filter by status. */
const CHOICES = { all: 'All', recorded: 'Due', collected: 'Paid', voided: 'Voided' } as const

/**
 * Shows a table of charges with a filter by status, which the address has.
 * @param view the address of the view, without a query
 * @param asked which charges, without the status
 * @param children returns what to show above the table of charges of every status
 */
export function FilteredCharges({
  view,
  query,
  asked,
  reloads,
  children,
}: {
  view: string
  query: URLSearchParams
  asked: Omit<Query, 'status'>
  reloads: number
  children: (charges: readonly Charge[]) => ComponentChildren
}) {
  const wanted = query.get('charges') ?? ''
  const status = wanted in CHOICES ? (wanted as keyof typeof CHOICES) : 'all'
  return (
    <>
      <SelectField
        name="charges"
        label="Status"
        choices={CHOICES}
        value={status}
        change={(choice) => show(choice === 'all' ? view : `${view}?charges=${choice}`, { replace: true })}
      />
      {status === 'all' ? (
        <Charges query={asked} reloads={reloads}>
          {children}
        </Charges>
      ) : (
        <Charges query={{ ...asked, status }} reloads={reloads} />
      )}
    </>
  )
}

/**
 * Shows a table of charges. The payee can void due charges. Events about charges load it again.
 * @param query which charges; without `hireId` those of all hires
 * @param reloads a new number loads the charges again
 * @param children returns what to show above the table, from the loaded charges; without charges it is not
 *   called
 */
function Charges({
  query,
  reloads = 0,
  children,
}: {
  query: Query
  reloads?: number
  children?: (charges: readonly Charge[]) => ComponentChildren
}) {
  const { client } = useConnection()
  const isOwner = query.role === 'owner'
  return (
    <Listed
      listKey={`${query.role} ${query.hireId}`}
      filter={`${JSON.stringify(query)} ${reloads}`}
      ask={async (cursor, signal) => {
        const page = { query: { ...query, cursor }, signal }
        const { charges, nextCursor } = await client.call('GET /payments/charges', page)
        return { entries: charges, nextCursor }
      }}
      isAbout={query.hireId === undefined ? ofKinds('charge') : ofHire(query.hireId, 'charge')}
      empty={
        <Empty title={query.status ? 'No charges with this status.' : 'No charges yet.'}>
          {!query.status && (
            <p>
              {isOwner
                ? 'To charge a hirer for work, open the hire from your agent’s page.'
                : 'Here you see what the agent charges for its work.'}
            </p>
          )}
        </Empty>
      }
    >
      {(charges, reload) => (
        <>
          {children?.(charges)}
          <Table
            caption="Charges"
            columns={columnsOf(isOwner, reload)}
            rows={charges}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </Listed>
  )
}

/** The status of a charge. */
export function ChargeStatus({ charge: { status } }: { charge: Charge }) {
  const { tone, words } = CHARGE_STATUSES[status]
  return <Badge tone={tone}>{words}</Badge>
}

/** Lets the payee void a charge that is due. */
export function VoidCharge({ charge, onVoided }: { charge: Charge; onVoided: () => void }) {
  const { client } = useConnection()
  if (charge.status !== 'recorded') return null
  return (
    <Confirmed
      label="Void charge"
      question="This voids the charge. Its amount no longer counts toward the spending limit."
      action={async () => {
        await client.call('POST /payments/charges/{id}/void', { path: { id: charge.id } })
        onVoided()
      }}
    />
  )
}

const columnsOf = (isOwner: boolean, onChanged: () => void): Columns<Charge> => [
  {
    head: 'Charge',
    cell: ({ id, description, reference, result }) => (
      <>
        <Link to={`charges/${id}`}>{description || <code>{reference}</code>}</Link>
        {description && (
          <p class="small">
            <code>{reference}</code>
          </p>
        )}
        {result !== undefined && <Excerpt text={result} />}
      </>
    ),
  },
  {
    head: 'Amount',
    cell: (charge) => (
      <>
        <Cred amount={charge.amount} />
        <p class="small">
          <Work charge={charge} />
        </p>
      </>
    ),
  },
  {
    head: 'Status',
    cell: (charge) => (
      <div class="row">
        <ChargeStatus charge={charge} />
        {isOwner && <VoidCharge charge={charge} onVoided={onChanged} />}
      </div>
    ),
  },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(isOwner ? [{ head: 'Hirer', cell: ({ hirer }: Charge) => <Wallet address={hirer} /> }] : []),
]

/**
 * Shows the work that a charge is for, as the agent's owner has declared it. By the hire's fee model:
 * - flat: "3 units for Liquidity".
 * - percentage: "of 25 CRED earned for Liquidity", after the charge's amount. `capturedValue` is what
 *   the work earned the hirer, in lamports of CRED.
 * - hybrid: both; `capturedValue` only with a share of it.
 *
 * `layer` is the capture layer: the field of the work.
 */
export const Work = ({ charge: { units, capturedValue, layer } }: { charge: Charge }) => (
  <>
    {units !== undefined && `${units} ${units === 1n ? 'unit' : 'units'} `}
    {capturedValue !== undefined && (
      <>
        of <Cred amount={capturedValue} /> earned{' '}
      </>
    )}
    {layer !== undefined && `for ${layerName(layer)} `}
  </>
)
