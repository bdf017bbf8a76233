import { createRequire } from 'node:module'
import type { Request } from 'miniflare'
import type { BuiltWorker } from './build.ts'
import type { Clock } from './clock.ts'
import { CONSOLE_FOLDER } from './console.ts'
import { errorCode } from './error-code.ts'

/**
 * Loads Miniflare. By require, since an import would parse its 6 MB twice, once to learn that they are
 * CommonJS; and without this machine's certificates, for each of which it would copy all scripts once more:
 * workerd's requests all end here.
 */
function loadMiniflare(): typeof import('miniflare') {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  delete process.env.NODE_EXTRA_CA_CERTS
  try {
    return createRequire(import.meta.url)('miniflare')
  } finally {
    if (certificates !== undefined) process.env.NODE_EXTRA_CA_CERTS = certificates
  }
}

const { convertV4MiniflareOptions, Miniflare, Response } = loadMiniflare()

/** Answers a Worker's outgoing request, or returns undefined when another handler is to answer it. */
export type Outbound = (request: globalThis.Request) => Promise<globalThis.Response> | undefined

/** A line that a Worker or the runtime wrote to the console. */
export type WorkerLog = { level: string; message: string }

type WorkersOptions = {
  port: number
  clock: Clock
  /** Called with every line, soon after it was written. */
  onLog: (log: WorkerLog) => void
  /** Vars and secrets by name; each Worker gets the ones that wrangler.toml lists for it. */
  bindings: Record<string, string>
  rateLimits: boolean
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
  EXPEDITED_PER_ADDRESS: String(NO_LIMIT),
}

const CLOCK_WORKER = 'local-clock'

/** Tells every Worker the clock's new offset, inside workerd: one call of ours for all of them. */
const CLOCK_SCRIPT = `export default {
  async fetch(request, env) {
    const offsetMs = Number(await request.text())
    await Promise.all(Object.values(env).map((clock) => clock.moveTo(offsetMs)))
    return new Response()
  },
}`

/**
 * Runs every Worker of wrangler.toml in workerd behind one origin on loopback.
 * @throws Error that names the port when it is taken, or the secret that is missing
 */
export async function startWorkers(options: WorkersOptions) {
  const { workers, clock } = options
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port,
      // Otherwise Miniflare asks an outside host for this machine's location at start.
      cf: false,
      handleStructuredLogs: options.onLog,
      ...(options.folder === undefined ? {} : { resourcePersistencePath: options.folder }),
      workers: [
        ...workers.map((worker) => ({ ...miniflareOptions(worker, options), script: worker.script })),
        clockOptions(workers),
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
    throw errorCode(error) === 'ERR_ADDRESS_IN_USE'
      ? new Error(`port ${options.port} (PORT) is already in use`)
      : error
  })
  const clockWorker = await miniflare.getWorker(CLOCK_WORKER)
  const stopFollowing = clock.follow(async (offsetMs) => {
    await clockWorker.fetch('http://clock/', { method: 'POST', body: String(offsetMs) })
  })
  return {
    url,
    crons: workers.flatMap(({ group, crons }) => crons.map((cron) => ({ group, cron }))),
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
    },
  }
}

const clockOptions = (workers: BuiltWorker[]) => ({
  name: CLOCK_WORKER,
  modules: true as const,
  script: CLOCK_SCRIPT,
  compatibilityDate: String(workers[0]?.options.compatibilityDate),
  serviceBindings: Object.fromEntries(
    workers.map(({ group, name }) => [group, { name, entrypoint: 'LocalClock' }]),
  ),
})

function miniflareOptions(worker: BuiltWorker, options: WorkersOptions) {
  const { bindings, rateLimits, clock, outbound, queueRetryDelay, queueBatchTimeout = Infinity } = options
  const { modulesRules: _, ratelimits, queueConsumers, ...rest } = worker.options
  const names = [...Object.keys(worker.vars), ...worker.requiredSecrets]
  const settings: Record<string, string> = {
    ...worker.vars,
    ...(rateLimits ? {} : NO_LIMITS_BY_ADDRESS),
    ...bindings,
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
    // Neither is used, and each costs every request or every start something.
    stripCfConnectingIp: false,
    cacheAPI: false,
    bindings: {
      ...Object.fromEntries(values),
      LOCAL_CLOCK_OFFSET: clock.offset(),
      // Miniflare asks a Durable Object of each limit, so that one is not to be there that is off.
      LOCAL_LIMITS_OFF: rateLimits ? [] : Object.keys(ratelimits ?? {}),
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
    outboundService: async (request: Request) =>
      ((await outbound(await nativeRequest(request))) ??
        new Response('The local platform does not let Workers reach this host.', {
          status: 502,
        })) as Response,
  }
}

/** Headers of one connection, which Node's fetch sets itself; it refuses some of them. */
const CONNECTION_HEADERS = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']

/** Converts Miniflare's Request, which is of its own copy of undici and not accepted by Node's fetch. */
async function nativeRequest(request: Request): Promise<globalThis.Request> {
  const headers = [...request.headers].filter(([name]) => !CONNECTION_HEADERS.includes(name))
  const body = request.body === null ? undefined : await request.arrayBuffer()
  return new globalThis.Request(request.url, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
}
