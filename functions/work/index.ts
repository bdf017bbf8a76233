import { clockOf } from '../../lib/clock/wake.ts'
import { createApp } from '../../lib/http/app.ts'
import { toolsOf } from '../../lib/http/tools.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

const app = createApp({ routes, deps })

export default {
  fetch: app.fetch,

  /** Reports to the Clock alone, and not to the database: a longer silence is an outage (lib/clock). */
  async scheduled(_controller, env) {
    await clockOf(env).answered()
  },
} satisfies ExportedHandler<Cloudflare.WorkEnv>

export const Tools = toolsOf(app)
