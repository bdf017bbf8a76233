import type { Delivery } from '../../../client/index.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { CopyIcon } from '../../kit/copy.tsx'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty, Failure } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Link, Time } from '../../kit/text.tsx'
import { show } from '../../router.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { outcomeOf } from './delivery-words.ts'

const STATES = {
  '': 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  held: 'Paused (endpoint disabled)',
}

/** The status of an address: any other text counts as none. */
function statusOf(query: URLSearchParams): keyof typeof STATES {
  const status = query.get('status') ?? ''
  return Object.hasOwn(STATES, status) ? (status as keyof typeof STATES) : ''
}

/** Lists the deliveries to all endpoints of the wallet. */
export const Deliveries = ({ wallet, query }: { wallet: string; query: URLSearchParams }) => (
  <DeliveryTable listKey={wallet} address="developer/deliveries" status={statusOf(query)} />
)

/** Lists the deliveries to one endpoint. */
export const DeliveriesTo = ({ endpointId, query }: { endpointId: string; query: URLSearchParams }) => (
  <DeliveryTable
    listKey={endpointId}
    address={`developer/webhooks/${endpointId}`}
    status={statusOf(query)}
    endpointId={endpointId}
  />
)

/**
 * Lists deliveries with their outcome, newest first. Each has a page, and can be sent again in any state.
 * @param address the page's, which keeps the status
 */
function DeliveryTable({
  listKey,
  address,
  status,
  endpointId,
}: {
  listKey: string
  address: string
  status: keyof typeof STATES
  endpointId?: string
}) {
  const { client } = useConnection()
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { cursor, endpointId, ...(status && { status }) }
    const { deliveries, nextCursor } = await client.call('GET /events/deliveries', { query, signal })
    return { entries: deliveries, nextCursor }
  }
  return (
    <>
      <SelectField
        name="status"
        label="Status"
        value={status}
        change={(chosen) => show(chosen ? `${address}?status=${chosen}` : address, { replace: true })}
        choices={STATES}
      />
      <Listed
        listKey={listKey}
        filter={status}
        // Any event of the wallet may be sent to an endpoint.
        isAbout={() => true}
        ask={ask}
        empty={
          <Empty title="No deliveries.">
            <p>Events sent to your endpoints in the last 30 days appear here.</p>
          </Empty>
        }
      >
        {(deliveries, reload) => (
          <>
            <Table deliveries={deliveries} onReplayed={reload} />
            <button type="button" onClick={reload}>
              Refresh
            </button>
          </>
        )}
      </Listed>
    </>
  )
}

const Table = ({ deliveries, onReplayed }: { deliveries: readonly Delivery[]; onReplayed: () => void }) => (
  <div class="table stacked">
    <table>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Status</th>
          <th scope="col">Attempts</th>
          <th scope="col">Queued</th>
          <th scope="col">Next attempt</th>
          <th scope="col">Resend</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={`${delivery.eventId} ${delivery.endpointId}`}>
            <th scope="row">
              <Link to={`developer/webhooks/${delivery.endpointId}/${delivery.eventId}`}>
                {delivery.type}
              </Link>{' '}
              <CopyIcon text={delivery.eventId} label="Copy event ID" />
            </th>
            <td data-label="Status">
              <DeliveryState status={delivery.status} /> {outcomeOf(delivery)}
            </td>
            <td data-label="Attempts">{delivery.attempts}</td>
            <td data-label="Queued">
              <Time at={delivery.createdAt} />
            </td>
            <td data-label="Next attempt">
              {delivery.nextAttemptAt && <Time at={delivery.nextAttemptAt} />}
            </td>
            <td>
              <Replay delivery={delivery} onReplayed={onReplayed} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** A button that sends a delivery again. */
export function Replay({
  delivery: { eventId, endpointId, type },
  onReplayed,
}: {
  delivery: Delivery
  onReplayed: () => void
}) {
  const { client } = useConnection()
  const { isBusy, error, run } = useAction(async () => {
    await client.call('POST /events/{id}/replay', { path: { id: eventId }, body: { endpointId } })
    onReplayed()
  })
  return (
    <>
      <Button isBusy={isBusy} aria-label={`Resend ${type}`} onClick={run}>
        Resend
      </Button>
      {error && <Failure error={error} />}
    </>
  )
}
