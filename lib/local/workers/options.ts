import { groupOf, loginOf } from '../../../schema/rights.ts'
import type { WorkerConfig } from '../../tools/wrangler.ts'
import type { BuiltWorker } from '../build.ts'
import type { Clock } from '../clock.ts'
import { CONSOLE_FOLDER } from '../console.ts'
import type { Outbound, OutboundServer } from './outbound.ts'
import { externalOf, PLATFORM_WORKER, UNUSED } from './platform-worker.ts'

/** A line that a Worker or the runtime wrote to the console. */
export type WorkerLog = { level: string; message: string }

export type WorkersOptions = {
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
  /** Whether only programs and pages of this machine may call. */
  isAlone?: boolean
  /** Where KV is kept; in memory without it. */
  folder?: string | undefined
  /** Where the console's files are, instead of wrangler.toml's. */
  consoleFolder?: string | undefined
  workers: BuiltWorker[]
}

/** A limit that nobody reaches. */
const NO_LIMIT = 1_000_000_000

/** The limits by address that are counted in Postgres: they are off with the others. */
export const NO_LIMITS_BY_ADDRESS = {
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

/** A Worker as Miniflare takes it. */
export function miniflareOptions(worker: BuiltWorker, options: WorkersOptions, outbound: OutboundServer) {
  const { bindings, rateLimits, clock, queueRetryDelay, queueBatchTimeout = Infinity } = options
  const { modulesRules: _, ratelimits, queueConsumers, ...rest } = worker.options
  const { DATABASE_URL } = bindings
  const values = valuesOf(worker, {
    ...(rateLimits ? {} : NO_LIMITS_BY_ADDRESS),
    ...bindings,
    ...(DATABASE_URL !== undefined && { DATABASE_URL: databaseUrlOf(worker.group, DATABASE_URL) }),
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
      ...values,
      LOCAL_CLOCK_OFFSET: clock.offset(),
      LOCAL_CLOCK_STOPPED_AT: clock.stoppedAt ?? null,
      // Miniflare asks a Durable Object of each limit, so that one is not to be there that is off.
      LOCAL_LIMITS_OFF: rateLimits ? [] : Object.keys(ratelimits ?? {}),
      LOCAL_ALARMS_OFF: !options.alarms,
      LOCAL_ALONE: options.isAlone ?? false,
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

/**
 * Returns the vars and secrets that wrangler.toml lists for a Worker. A var that is not set has the value of
 * wrangler.toml.
 * @throws Error that names a secret that is not set
 */
export function valuesOf(
  { group, vars, requiredSecrets }: WorkerConfig,
  settings: Record<string, string>,
): Record<string, string> {
  const names = [...Object.keys(vars), ...requiredSecrets]
  return Object.fromEntries(
    names.map((name) => {
      const value = settings[name] ?? vars[name]
      if (value === undefined) throw new Error(`the secret ${name} of the ${group} Worker is not set`)
      return [name, value]
    }),
  )
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
