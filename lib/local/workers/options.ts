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
  /** Called with every log line, soon after it was written. */
  onLog: (log: WorkerLog) => void
  /**
   * Vars and secrets by name. Each Worker gets those in its block of wrangler.toml. In a DATABASE_URL of the
   * local server, each Worker has the login of its group of rights.
   */
  bindings: Record<string, string>
  rateLimits: boolean
  /** Whether the Clock's alarm fires by itself; otherwise `reachAlarm` runs it. */
  alarms: boolean
  /** Whether a queue applies a message's delay, by the machine's clock; by default it does. */
  queueDelays?: boolean
  /** Seconds before a queue repeats a failed message, instead of wrangler.toml's. */
  queueRetryDelay?: number | undefined
  /** The most seconds that a queue waits for more messages, if wrangler.toml's are more. */
  queueBatchTimeout?: number | undefined
  outbound: Outbound
  /** Whether only programs and pages of this machine are allowed. */
  isAlone?: boolean
  /** The folder of KV; by default in memory. */
  folder?: string | undefined
  /** The folder of the console's files, instead of wrangler.toml's. */
  consoleFolder?: string | undefined
  workers: BuiltWorker[]
}

/** A limit that nobody reaches. */
const NO_LIMIT = 1_000_000_000

/** The limits by address that Postgres counts; they are off with the others. */
export const NO_LIMITS_BY_ADDRESS = {
  REGISTRY_KEYS_PER_ADDRESS: String(NO_LIMIT),
  EMPTY_BUILDS_PER_ADDRESS: String(NO_LIMIT),
  AGENTS_PER_ADDRESS: String(NO_LIMIT),
  CONSENTS_PER_ADDRESS: String(NO_LIMIT),
  HIRES_PER_ADDRESS: String(NO_LIMIT),
  STATUS_CHANGES_PER_ADDRESS: String(NO_LIMIT),
  ATTESTATIONS_PER_ADDRESS: String(NO_LIMIT),
  CHARGES_PER_ADDRESS: String(NO_LIMIT),
  JOBS_PER_ADDRESS: String(NO_LIMIT),
  WEBHOOKS_PER_ADDRESS: String(NO_LIMIT),
  EXPEDITED_PER_ADDRESS: String(NO_LIMIT),
  PRICE_CHANGES_PER_ADDRESS: String(NO_LIMIT),
}

/** Returns Miniflare's options for a Worker. */
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
      // Omit limits that are off, since Miniflare calls a Durable Object for each limit.
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
    // For requests not sent by `fetch`, so that nothing reaches a network.
    outboundService: { name: PLATFORM_WORKER, entrypoint: 'Outbound' },
  }
}

/**
 * Returns the vars and secrets of a Worker in wrangler.toml. A var that is not set has wrangler.toml's value.
 * @throws Error that names a missing secret
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

/** Puts the Worker's login into a URL of the local server. Neon itself would ask for the password. */
function databaseUrlOf(worker: string, url: string): string {
  const group = groupOf(worker)
  if (group === undefined || !new URL(url).hostname.endsWith('.internal')) return url
  return Object.assign(new URL(url), { username: loginOf(group, 'a') }).href
}

/** The bindings whose calls are dropped if the group does not run, by group. */
export const TOLD_BY: Record<string, string> = { CLOCK: 'jobs', LIVE: 'live' }

/** Drops calls to the Clock without the jobs Worker, like messages on its queues. */
function withNobody({ serviceBindings }: BuiltWorker['options'], workers: BuiltWorker[]) {
  const services = new Map(Object.entries(serviceBindings ?? {}))
  for (const [binding, group] of Object.entries(TOLD_BY))
    if (services.has(binding) && !workers.some((worker) => worker.group === group))
      services.set(binding, { name: PLATFORM_WORKER, entrypoint: 'Nobody' })
  return Object.fromEntries(services)
}
