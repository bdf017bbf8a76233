import type { ScheduleJob } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import type { ProbeHostDeps } from '../../lib/liveness/probe-host.ts'
import type { ResourceDeps } from '../../lib/x402/resources/probe-host.ts'

export const deps = (
  env: Cloudflare.ProbesEnv,
  clock: () => Date,
  schedule: ScheduleJob,
): ProbeHostDeps & ResourceDeps => ({
  db: connect(env.DATABASE_URL),
  clock,
  schedule,
  apiHost: env.API_HOST,
  publisher: env.ARD_PUBLISHER,
  network: env.X402_NETWORK,
})
