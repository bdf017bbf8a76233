import { ApiError } from '../api-error.ts'
import type { Session } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { cursorLost } from '../events/list.ts'
import type { JsonResponse } from '../http/json.ts'
import { beginListening } from './queries.ts'
import { EVENTS_PROTOCOL, MAX_SOCKETS, type SocketState } from './socket-state.ts'
import { subprotocolsOf } from './subprotocols.ts'

/**
 * Opens a socket of a session on its wallet's log.
 * @returns 101 with the socket
 * @throws ApiError `upgrade_required`; `invalid_request` without the subprotocol; `cursor_lost`;
 *   `too_many_sockets`; `dependency_unavailable`
 */
export async function openSocket(
  deps: { db: Db; open: (state: SocketState) => Promise<Response> },
  { wallet, epoch, expiresAt }: Session,
  { after, headers }: { after?: string | undefined; headers: Headers },
): Promise<JsonResponse<101, never>> {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new ApiError('upgrade_required', 'This is a WebSocket: send the WebSocket handshake headers.')
  if (!subprotocolsOf(headers).includes(EVENTS_PROTOCOL))
    throw new ApiError('invalid_request', `Sec-WebSocket-Protocol must include ${EVENTS_PROTOCOL}.`, {
      errors: [{ path: 'Sec-WebSocket-Protocol', message: `must include ${EVENTS_PROTOCOL}` }],
    })
  const { lost } = await beginListening(deps.db, wallet, { until: new Date(expiresAt), after })
  if (lost) throw cursorLost(lost)
  const state = { wallet, epoch, expiresAt, last: after, isNew: true, isBehind: false, sent: [] }
  const answer = await deps.open(state).catch((cause) => {
    throw new ApiError('dependency_unavailable', 'The socket could not be opened. Try again.', { cause })
  })
  if (answer.status !== 101)
    throw new ApiError(
      'too_many_sockets',
      `A wallet may have ${MAX_SOCKETS} open sockets. Close one first.`,
      {
        retryAfterSeconds: 60,
      },
    )
  // A new answer, since the headers of another Worker's answer can't be changed.
  return new Response(null, answer)
}
