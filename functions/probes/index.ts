import { WorkerEntrypoint } from 'cloudflare:workers'
import type { ClientDocumentReader } from '../../lib/auth/oauth/client.ts'
import { runSteps } from '../../lib/clock/job-steps.ts'
import { type Due, type Job, soonest } from '../../lib/clock/jobs.ts'
import type { ProbesService } from '../../lib/clock/services.ts'
import { readClientDocument } from '../../lib/liveness/client-document.ts'
import { runProbes } from '../../lib/liveness/run-probes.ts'
import { probeResources } from '../../lib/x402/resources/run.ts'
import { deps } from './deps.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

/** It has no route, so nobody calls it from outside. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Cloudflare.ProbesEnv>

/**
 * For the auth Worker alone, by a service binding. That Worker holds the signing key, so it reads nothing of
 * strangers.
 */
export class ClientDocuments extends WorkerEntrypoint<Cloudflare.ProbesEnv> implements ClientDocumentReader {
  read(url: string): Promise<string | undefined> {
    return readClientDocument({ clock: () => new Date(), apiHost: this.env.API_HOST }, url)
  }
}

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
    let due: Due | undefined
    // If routes fail, endpoints are still probed.
    await runSteps({
      routes: async () => {
        const { due: next, ...counts } = await probeResources(run)
        due = soonest(due, next)
        return counts
      },
      probes: async () => {
        const { due: next, ...counts } = await runProbes(run)
        due = soonest(due, next)
        return counts
      },
    })
    return { due, scheduled }
  }

  async look(): Promise<Due | undefined> {
    return (await this.probe()).due
  }
}
