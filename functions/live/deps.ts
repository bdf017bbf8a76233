import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { LiveLog } from '../../lib/live/live-log.ts'
import { EVENTS_PROTOCOL, type SocketState, STATE_HEADER } from '../../lib/live/socket-state.ts'

/** The dependencies of opening a socket. */
export type Deps = {
  db: Db
  /** Opens a socket at the Durable Object of its wallet. */
  open: (state: SocketState) => Promise<Response>
}

export const deps = (env: Cloudflare.LiveEnv, { subrequests }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, subrequests),
  open(state) {
    subrequests.count('worker')
    return logOf(env, state.wallet).fetch('https://live/', {
      headers: {
        upgrade: 'websocket',
        'sec-websocket-protocol': EVENTS_PROTOCOL,
        [STATE_HEADER]: JSON.stringify(state),
      },
    })
  },
})

/** Returns the Durable Object that has a wallet's sockets. */
export function logOf({ LIVE_LOG }: Cloudflare.LiveEnv, wallet: string) {
  // wrangler's types know the class's name, not its methods.
  const logs = LIVE_LOG as DurableObjectNamespace<LiveLog<Cloudflare.LiveEnv>>
  return logs.getByName(wallet)
}
