import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { openSocket } from '../../lib/live/open.ts'
import { LiveQuery } from '../../schema/wire/live.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.LiveEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/events/live',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: LiveQuery,
    docs: WORDS && {
      id: 'listenToEvents',
      summary: 'Listen to your events',
      description:
        'A WebSocket with the subprotocols `agentcred.events.v1` and `bearer.<session token>` (or the Authorization header): your log after the event `after`, or from the beginning, and then as it grows. Each message is one page of GET /events. Acknowledge it by `{"ack":"<id of its last event>"}`: a socket with 1 MB to acknowledge is sent nothing more, and is closed (4413) with the id to go on from when the log grows. Closed with 4401 when the session ends, with 4409 when `after` was deleted, with 4400 and 4429 for messages that are no acknowledgements, and more than 120 a minute that acknowledge nothing new. Five sockets a wallet. Send `ping` for a `pong`. After a break connect again, with the last id that you have.',
      answers: { 101: { description: 'The socket is open.' } },
      errors: ['upgrade_required', 'too_many_sockets', 'cursor_lost', 'dependency_unavailable'],
    },
    handle: ({ deps, session, query, headers }) => openSocket(deps, session, { ...query, headers }),
  }),
]
