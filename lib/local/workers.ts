import { randomUUID } from 'node:crypto'
import { groupOf, loginOf } from '../../schema/rights.ts'
import type { Due, Kind } from '../clock/kinds.ts'
import { convertV4MiniflareOptions, HttpOptions_Style, Miniflare } from '../tools/miniflare.ts'
import type { BuiltWorker } from './build.ts'
import type { Clock } from './clock.ts'
import { CONSOLE_FOLDER } from './console.ts'
import { errorCode } from './error-code.ts'
import { type Outbound, type OutboundServer, serveOutbound } from './outbound.ts'

/** A line that a Worker or the runtime wrote to the console. */
export type WorkerLog = { level: string; message: string }

type WorkersOptions = {
  port: number
  clock: Clock
  /** Called with every line, soon after it was written. */
  onLog: (log: WorkerLog) => void
  /**
   * Vars and secrets by name; each Worker gets the ones that wrangler.toml lists for it. In the DATABASE_URL
   * of the local server's database each Worker has the login of its group of rights.
   */
  bindings: Record<string, string>
  rateLimits: boolean
  /** Whether the Clock's alarm comes by itself; otherwise `reachAlarm` runs it. */
  alarms: boolean
  /** Whether a queue waits as long as a message is to wait, by the machine's clock; by default it does. */
  queueDelays?: boolean
  /** Seconds before a queue delivers again what failed, instead of wrangler.toml's. */
  queueRetryDelay?: number | undefined
  /** Seconds that a queue waits for more messages at most, if wrangler.toml's are more. */
  queueBatchTimeout?: number | undefined
  outbound: Outbound
  /** Where KV is kept; in memory without it. */
  folder?: string | undefined
  /** Where the console's files are, instead of wrangler.toml's. */
  consoleFolder?: string | undefined
  workers: BuiltWorker[]
}

/** A limit that nobody reaches. */
const NO_LIMIT = 1_000_000_000

/** The limits by address that are counted in Postgres: they are off with the others. */
const NO_LIMITS_BY_ADDRESS = {
  REGISTRY_KEYS_PER_ADDRESS: String(NO_LIMIT),
  EMPTY_BUILDS_PER_ADDRESS: String(NO_LIMIT),
  AGENTS_PER_ADDRESS: String(NO_LIMIT),
  HIRES_PER_ADDRESS: String(NO_LIMIT),
  STATUS_CHANGES_PER_ADDRESS: String(NO_LIMIT),
  ATTESTATIONS_PER_ADDRESS: String(NO_LIMIT),
  CHARGES_PER_ADDRESS: String(NO_LIMIT),
  WEBHOOKS_PER_ADDRESS: String(NO_LIMIT),
  EXPEDITED_PER_ADDRESS: String(NO_LIMIT),
  PRICE_CHANGES_PER_ADDRESS: String(NO_LIMIT),
}

const PLATFORM_WORKER = 'local-platform'

/**
 * The platform's own Worker. It tells every Worker the clock's new offset, inside workerd: one call of ours
 * for all of them, and lets the Clock set its alarm by it; for tests it has the Clock run what is due. It
 * stands for the Clock and for whoever listens where the jobs or the live Worker does not run. And it hands
 * what they send out past their `fetch` to our server: nothing reaches a network.
 */
const PLATFORM_SCRIPT = `import { WorkerEntrypoint } from 'cloudflare:workers'
export default {
  async fetch(request, { outbound, CLOCK, LIVELOG, ...clocks }) {
    const { offsetMs, method, kind, wallet } = await request.json()
    const clock = wallet ? LIVELOG.getByName(wallet) : CLOCK?.getByName('clock')
    if (offsetMs === undefined) return Response.json((await clock[method](kind)) ?? null)
    await Promise.all(Object.values(clocks).map((clock) => clock.moveTo(offsetMs)))
    if (method) await clock?.[method]()
    return new Response()
  },
}
export class Nobody extends WorkerEntrypoint {
  wakeBy() {}
  nudge() {}
}
export class Outbound extends WorkerEntrypoint {
  fetch(request) {
    return this.env.outbound.fetch(request)
  }
}`

/**
 * Runs every Worker of wrangler.toml in workerd behind one origin on loopback.
 * @throws Error that names the port when it is taken, or the secret that is missing
 */
export async function startWorkers(options: WorkersOptions) {
  const { workers, clock } = options
  const outbound = await serveOutbound(options.outbound)
  // Nobody else knows it. By Miniflare's own way to call a Worker it would take several times as long.
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
  // Miniflare's own handlers end the process before ours could stop the other parts in order.
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
    /** Has the Clock run its alarm if it is due. @returns when the next one is, in Unix milliseconds */
    reachAlarm: (): Promise<number> => ask({ method: 'reachAlarm' }),
    /** Runs the alarm of the object that has a wallet's sockets, if it is due. */
    reachLiveAlarm: (wallet: string): Promise<number> => ask({ method: 'reachAlarm', wallet }),
    /** How often an alarm of the Clock has run rounds. */
    wakes: (): Promise<number> => ask({ method: 'wakes' }),
    /** How many runs have leased deliveries and not ended. */
    leases: (): Promise<number> => ask({ method: 'leases' }),
    /**
     * Has the Clock run one kind's round.
     * @returns when the kind is next due, if it is, or that it has failed
     */
    runRound: (kind: Kind): Promise<Due | null | 'failed'> => ask({ method: 'runRound', kind }),
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

/** Neither is used, and each costs every request or every start something. */
const UNUSED = { stripCfConnectingIp: false, cacheAPI: false }

const externalOf = ({ address, header }: OutboundServer) => ({
  external: { address, http: { style: HttpOptions_Style.PROXY, injectRequestHeaders: [header] } },
})

const platformOptions = (workers: BuiltWorker[], outbound: OutboundServer) => ({
  name: PLATFORM_WORKER,
  modules: true as const,
  script: PLATFORM_SCRIPT,
  compatibilityDate: String(workers[0]?.options.compatibilityDate),
  ...UNUSED,
  durableObjects: Object.fromEntries(
    workers.flatMap(({ name, objects }) =>
      objects.map((className) => [className.toUpperCase(), { className, scriptName: name, useSQLite: true }]),
    ),
  ),
  serviceBindings: {
    ...Object.fromEntries(workers.map(({ group, name }) => [group, { name, entrypoint: 'LocalClock' }])),
    outbound: externalOf(outbound),
  },
})

function miniflareOptions(worker: BuiltWorker, options: WorkersOptions, outbound: OutboundServer) {
  const { bindings, rateLimits, clock, queueRetryDelay, queueBatchTimeout = Infinity } = options
  const { modulesRules: _, ratelimits, queueConsumers, ...rest } = worker.options
  const names = [...Object.keys(worker.vars), ...worker.requiredSecrets]
  const { DATABASE_URL } = bindings
  const settings: Record<string, string> = {
    ...worker.vars,
    ...(rateLimits ? {} : NO_LIMITS_BY_ADDRESS),
    ...bindings,
    ...(DATABASE_URL !== undefined && { DATABASE_URL: databaseUrlOf(worker.group, DATABASE_URL) }),
  }
  const values = names.map((name) => {
    const value = settings[name]
    if (value === undefined) throw new Error(`the secret ${name} of the ${worker.group} Worker is not set`)
    return [name, value]
  })
  return {
    ...rest,
    ...(worker.group === 'console' && rest.assets
      ? { assets: { ...rest.assets, directory: options.consoleFolder ?? CONSOLE_FOLDER } }
      : {}),
    name: worker.name,
    modules: true as const,
    routes: worker.routes,
    ...UNUSED,
    bindings: {
      ...Object.fromEntries(values),
      LOCAL_CLOCK_OFFSET: clock.offset(),
      // Miniflare asks a Durable Object of each limit, so that one is not to be there that is off.
      LOCAL_LIMITS_OFF: rateLimits ? [] : Object.keys(ratelimits ?? {}),
      LOCAL_ALARMS_OFF: !options.alarms,
      LOCAL_DELAYS_OFF: options.queueDelays === false,
    },
    ratelimits: Object.fromEntries(rateLimits ? Object.entries(ratelimits ?? {}) : []),
    queueConsumers: Object.fromEntries(
      Object.entries(queueConsumers ?? {}).map(([name, consumer]) => [
        name,
        {
          ...consumer,
          retryDelay: queueRetryDelay ?? consumer.retryDelay,
          maxBatchTimeout: Math.min(consumer.maxBatchTimeout, queueBatchTimeout),
        },
      ]),
    ),
    serviceBindings: {
      ...withNobody(worker.options, options.workers),
      LOCAL_OUTBOUND: externalOf(outbound),
    },
    // For what is not sent by `fetch`: nothing of a Worker reaches a network.
    outboundService: { name: PLATFORM_WORKER, entrypoint: 'Outbound' },
  }
}

/** Of a database behind the local server each Worker has a login; Neon itself would ask for the password. */
function databaseUrlOf(worker: string, url: string): string {
  const group = groupOf(worker)
  if (group === undefined || !new URL(url).hostname.endsWith('.internal')) return url
  return Object.assign(new URL(url), { username: loginOf(group, 'a') }).href
}

/** What Workers are told through these bindings goes nowhere where the group does not run. */
export const TOLD_BY: Record<string, string> = { CLOCK: 'jobs', LIVE: 'live' }

/** Without the jobs Worker what is said to the Clock goes nowhere, as messages on its queues do. */
function withNobody({ serviceBindings }: BuiltWorker['options'], workers: BuiltWorker[]) {
  const services = new Map(Object.entries(serviceBindings ?? {}))
  for (const [binding, group] of Object.entries(TOLD_BY))
    if (services.has(binding) && !workers.some((worker) => worker.group === group))
      services.set(binding, { name: PLATFORM_WORKER, entrypoint: 'Nobody' })
  return Object.fromEntries(services)
}
