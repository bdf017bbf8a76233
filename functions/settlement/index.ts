import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Due } from '../../lib/clock/jobs.ts'
import type { SettlementService } from '../../lib/clock/services.ts'
import { settleDay } from './day.ts'
import { deps } from './deps.ts'
import { checkPositions, settleAll } from './job-runs.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

/** It has no route, so nobody calls it from outside. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Cloudflare.SettlementEnv>

/** For the Clock alone, by a service binding. */
export class Settlement extends WorkerEntrypoint<Cloudflare.SettlementEnv> implements SettlementService {
  settle(): Promise<Due | undefined> {
    return settleAll(this.#deps())
  }

  lookAtPositions(): Promise<Due | undefined> {
    return checkPositions(this.#deps())
  }

  daily(): Promise<{ more: boolean }> {
    return settleDay(this.#deps())
  }

  #deps() {
    return deps(this.env, this.ctx, () => new Date())
  }
}
