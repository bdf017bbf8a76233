import { randomUUID } from 'node:crypto'
import type { Due, Job } from '../../clock/jobs.ts'
import { errorCode } from '../../tools/error-code.ts'
import { convertV4MiniflareOptions, Miniflare } from '../../tools/miniflare.ts'
import { miniflareOptions, type WorkersOptions } from './options.ts'
import { serveOutbound } from './outbound.ts'
import { platformOptions } from './platform-worker.ts'

/**
 * Runs every Worker of wrangler.toml in workerd behind one origin on loopback.
 * @throws Error that names the port in use, or the missing secret
 */
export async function startWorkers(options: WorkersOptions) {
  const { workers, clock } = options
  const outbound = await serveOutbound(options.outbound)
  // A secret path. Miniflare's own way to call a Worker takes several times as long.
  const platformPath = `/${randomUUID()}`
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port,
      // Otherwise Miniflare asks an outside host for this machine's location at start.
      cf: false,
      handleStructuredLogs: options.onLog,
      logRequests: false,
      ...(options.folder === undefined ? {} : { resourcePersistencePath: options.folder }),
      workers: [
        ...workers.map((worker) => ({
          ...miniflareOptions(worker, options, outbound),
          script: worker.script,
        })),
        { ...platformOptions(workers, outbound), routes: [`*${platformPath}`] },
      ],
    }),
  )
  // Miniflare's own handlers end the process before the other parts have stopped in order.
  for (const [name, listeners] of signals) {
    process.removeAllListeners(name)
    for (const listener of listeners) process.on(name, listener)
  }
  const url = await miniflare.ready.catch(async (error: unknown) => {
    // Disposing of an instance that failed to start throws the same error again.
    await miniflare.dispose().catch(() => {})
    await outbound.close()
    throw errorCode(error) === 'ERR_ADDRESS_IN_USE'
      ? new Error(`port ${options.port} (PORT) is already in use`)
      : error
  })
  const ask = async (what: object) => {
    const response = await fetch(new URL(platformPath, url), { method: 'POST', body: JSON.stringify(what) })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text === '' ? null : JSON.parse(text)
  }
  const stopFollowing = clock.follow(async (offsetMs) => {
    await ask({ offsetMs, ...(options.alarms ? { method: 'check' } : {}) })
  })
  return {
    url,
    crons: workers.flatMap(({ group, crons }) => crons.map((cron) => ({ group, cron }))),
    /** Makes the Clock run its alarm if it is due. @returns the time of the next one, in Unix milliseconds */
    reachAlarm: (): Promise<number> => ask({ method: 'reachAlarm' }),
    /** Runs the alarm of the object that has a wallet's sockets, if it is due. */
    reachLiveAlarm: (wallet: string): Promise<number> => ask({ method: 'reachAlarm', wallet }),
    /** Returns how many alarms of the Clock have run jobs. */
    wakes: (): Promise<number> => ask({ method: 'wakes' }),
    /** Returns how many runs have leased deliveries and not ended. */
    leases: (): Promise<number> => ask({ method: 'leases' }),
    /**
     * Makes the Clock run one job.
     * @returns when the job is next due, if it is, or `failed`
     */
    runJob: (kind: Job): Promise<Due | null | 'failed'> => ask({ method: 'runJob', kind }),
    /** Runs a Worker's scheduled handler once, as its cron would. */
    async runCron(group: string, cron: string) {
      const name = workers.find((worker) => worker.group === group)?.name
      if (name === undefined) throw new Error(`wrangler.toml has no [env.${group}]`)
      const worker = await miniflare.getWorker(name)
      await worker.scheduled({ cron, scheduledTime: new Date(clock.now()) })
    },
    async stop() {
      stopFollowing()
      await miniflare.dispose()
      await outbound.close()
    },
  }
}
