import { WorkerEntrypoint } from 'cloudflare:workers'
import { connect, type Db, type SessionClaim } from '../../lib/db/connect.ts'
import { forSession } from '../../lib/db/session.ts'
import type { LiveService } from '../../lib/events/outbox/notify.ts'
import { createApp } from '../../lib/http/app.ts'
import { LiveLog as Log } from '../../lib/live/live-log.ts'
import { withBearer } from '../../lib/live/subprotocols.ts'
import { deps, logOf } from './deps.ts'
import { routes } from './routes.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

const app = createApp({ routes, deps })

export default {
  fetch: (request, env, ctx) => app.fetch(withBearer(request), env, ctx),
} satisfies ExportedHandler<Cloudflare.LiveEnv>

/** The sockets of one wallet. */
export class LiveLog extends Log<Cloudflare.LiveEnv> {
  db(session: SessionClaim): Db {
    return forSession(connect(this.env.DATABASE_URL), session)
  }

  now(): number {
    return Date.now()
  }
}

/** Announces events to open sockets, for the Workers that publish them, by a service binding. */
export class LiveNudges extends WorkerEntrypoint<Cloudflare.LiveEnv> implements LiveService {
  async nudge(wallets: string[]): Promise<void> {
    await Promise.all(wallets.map((wallet) => logOf(this.env, wallet).nudge()))
  }
}
