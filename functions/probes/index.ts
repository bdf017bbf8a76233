import { WorkerEntrypoint } from 'cloudflare:workers'
import { type Due, type Job, soonest } from '../../lib/clock/jobs.ts'
import type { ProbesService } from '../../lib/clock/services.ts'
import { runProbes } from '../../lib/liveness/run-probes.ts'
import { logInfo } from '../../lib/runtime/log.ts'
import { probeResources } from '../../lib/x402/resources/run.ts'
import { deps } from './deps.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

/** It has no route, so nobody calls it from outside. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Cloudflare.ProbesEnv>

/** For the Clock alone, by a service binding. */
export class Looks extends WorkerEntrypoint<Cloudflare.ProbesEnv> implements ProbesService {
  /** Probes priced routes, then endpoints. The Clock schedules what the results make due. */
  async probe() {
    const scheduled: { job: Job; at: number }[] = []
    const run = deps(
      this.env,
      () => new Date(),
      (job, at) => scheduled.push({ job, at: at.getTime() }),
    )
    const routes = await probeResources(run)
    const { due, ...counts } = await runProbes(run)
    logInfo({ job: 'probes', ...counts, routes: routes.probed })
    return { due: soonest(routes.due, due), scheduled }
  }

  async look(): Promise<Due | undefined> {
    return (await this.probe()).due
  }
}
