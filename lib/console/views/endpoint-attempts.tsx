import { Listed } from '../kit/pages.tsx'
import { Time } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { answerOf } from './delivery-state.tsx'

/** What was sent to an endpoint when, and what it answered. */
export function Attempts({ endpointId }: { endpointId: string }) {
  const { client } = useConnection()
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const { attempts, nextCursor } = await client.call('GET /events/endpoints/{id}/attempts', {
      path: { id: endpointId },
      query: { cursor, limit: 20 },
      signal,
    })
    return { entries: attempts, nextCursor }
  }
  return (
    <Listed of={endpointId} ask={ask} empty={<p>Nothing was sent to it in the last 30 days.</p>}>
      {(attempts, reload) => (
        <>
          <ol class="attempts">
            {attempts.map(({ eventId, type, attemptedAt, responseCode, failure, durationMs }) => (
              <li key={`${eventId} ${attemptedAt}`}>
                <code>{type}</code> {answerOf({ lastResponseCode: responseCode, lastFailure: failure })}{' '}
                <span class="small">
                  in {durationMs} ms, <Time at={attemptedAt} />
                </span>
              </li>
            ))}
          </ol>
          <button type="button" onClick={reload}>
            Look again
          </button>
        </>
      )}
    </Listed>
  )
}
