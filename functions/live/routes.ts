import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { openSocket } from '../../lib/live/open.ts'
import { MAX_IDLE_MESSAGES } from '../../lib/live/pace.ts'
import { MAX_SOCKETS, MAX_UNACKNOWLEDGED } from '../../lib/live/socket-state.ts'
import { figure } from '../../schema/figures.ts'
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
    docs: {
      id: 'listenToEvents',
      summary: 'Listen to your events',
      description: [
        'A WebSocket with the subprotocols `agentcred.events.v1` and `bearer.<session token>` (or the Authorization header). It sends your log after the event `after`, or from the start, and then new events. Each message is one page of GET /events. Acknowledge it with `{"ack":"<id of its last event>"}`.',
        `A socket with ${MAX_UNACKNOWLEDGED / 1024 / 1024} MB of unacknowledged messages receives nothing more; when the log grows it is closed (4413) with the id to continue from. Other close codes: 4401 the session ended, 4409 \`after\` was deleted, 4400 a message is not an acknowledgement, 4429 more than ${figure(MAX_IDLE_MESSAGES)} messages a minute acknowledge nothing new. A wallet may open ${figure(MAX_SOCKETS)} sockets.`,
        'Send `ping` to get a `pong`. After a disconnect, connect again with the last id that you have.',
      ].join(' '),
      answers: { 101: { description: 'The socket is open.' } },
      errors: ['upgrade_required', 'too_many_sockets', 'cursor_lost', 'dependency_unavailable'],
    },
    handle: ({ deps, session, query, headers }) => openSocket(deps, session, { ...query, headers }),
  }),
]
