import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Due } from '../../lib/clock/jobs.ts'
import type { ProbesService } from '../../lib/clock/services.ts'
import { runProbes } from '../../lib/liveness/run-probes.ts'
import { logInfo } from '../../lib/runtime/log.ts'
import { deps } from './deps.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

/** It has no route, so nobody calls it from outside. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Cloudflare.ProbesEnv>

/** For the Clock alone, by a service binding. */
export class Looks extends WorkerEntrypoint<Cloudflare.ProbesEnv> implements ProbesService {
  async look(): Promise<Due | undefined> {
    const { due, ...counts } = await runProbes(deps(this.env, () => new Date()))
    logInfo({ job: 'probes', ...counts })
    return due
  }
}
