import { Listed } from '../../kit/pages.tsx'
import { Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { outcomeOf } from './delivery-words.ts'

/** Lists the requests to an endpoint, with the time and answer of each. A delivery may need several. */
export function Attempts({ endpointId, eventId }: { endpointId: string; eventId?: string }) {
  const { client } = useConnection()
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const { attempts, nextCursor } = await client.call('GET /events/endpoints/{id}/attempts', {
      path: { id: endpointId },
      query: { cursor, eventId, limit: 20 },
      signal,
    })
    return { entries: attempts, nextCursor }
  }
  return (
    <Listed listKey={`${endpointId} ${eventId}`} ask={ask} empty={<p>No attempts in the last 30 days.</p>}>
      {(attempts, reload) => (
        <>
          <ol class="attempts">
            {attempts.map(({ eventId, type, attemptedAt, responseCode, failure, durationMs }) => (
              <li key={`${eventId} ${attemptedAt}`}>
                <code>{type}</code> {outcomeOf({ lastResponseCode: responseCode, lastFailure: failure })}{' '}
                <span class="small">
                  in {durationMs} ms, <Time at={attemptedAt} />
                </span>
              </li>
            ))}
          </ol>
          <button type="button" onClick={reload}>
            Refresh attempts
          </button>
        </>
      )}
    </Listed>
  )
}
