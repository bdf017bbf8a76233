import { connect } from '../../lib/db/connect.ts'
import type { TurnDeps } from '../../lib/liveness/turn.ts'

export const deps = (env: Cloudflare.ProbesEnv, clock: () => Date): TurnDeps => ({
  db: connect(env.DATABASE_URL),
  clock,
  apiHost: env.API_HOST,
  publisher: env.ARD_PUBLISHER,
})
