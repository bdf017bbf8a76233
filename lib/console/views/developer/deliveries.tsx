import { useState } from 'preact/hooks'
import type { Delivery } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { CopyIcon } from '../../kit/copy.tsx'
import { useAction } from '../../kit/form.tsx'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty, Failure } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Badge, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'

const STATES = {
  '': 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  held: 'Paused (endpoint disabled)',
}

/** Lists the wallet's deliveries with their outcome, newest first. Each can be sent again, in any state. */
export function Deliveries({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const [status, setStatus] = useState<keyof typeof STATES>('')
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { cursor, ...(status && { status }) }
    const { deliveries, nextCursor } = await client.call('GET /events/deliveries', { query, signal })
    return { entries: deliveries, nextCursor }
  }
  return (
    <>
      <SelectField name="status" label="Status" value={status} change={setStatus} choices={STATES} />
      <Listed
        listKey={wallet}
        filter={status}
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
              <code>{delivery.type}</code> <CopyIcon text={delivery.eventId} label="Copy event ID" />
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

function Replay({
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

const TONES = { pending: 'plain', delivered: 'good', failed: 'bad', held: 'warn' } as const

/** Shows the state of a delivery. */
export const DeliveryState = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={TONES[status]}>{status === 'held' ? 'paused' : status}</Badge>
)

const FAILURES = {
  timeout: 'timed out',
  unreachable: 'could not be reached',
  url_refused: 'URL not allowed',
}

/**
 * Returns the outcome of the last finished attempt in words, such as "HTTP 500" or "timed out"; '' before the
 * first.
 */
export function outcomeOf({
  lastResponseCode,
  lastFailure,
}: {
  lastResponseCode?: number | undefined
  lastFailure?: Delivery['lastFailure'] | undefined
}): string {
  if (lastFailure) return FAILURES[lastFailure]
  return lastResponseCode === undefined ? '' : `HTTP ${lastResponseCode}`
}
