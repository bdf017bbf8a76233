import { convertV4MiniflareOptions, Miniflare, type Request, Response } from 'miniflare'
import { readWorkers, type WorkerConfig } from '../wrangler/config.ts'
import { bundleWorkers } from './bundle.ts'
import type { Clock } from './clock.ts'
import { errorCode } from './error-code.ts'

/** Answers a Worker's outgoing request, or returns undefined when another handler is to answer it. */
export type Outbound = (request: globalThis.Request) => Promise<globalThis.Response> | undefined

/** A line that a Worker or the runtime wrote to the console. */
export type WorkerLog = { level: string; message: string }

type WorkersOptions = {
  port: number
  clock: Clock
  /** Called with every line, soon after it was written. */
  onLog: (log: WorkerLog) => void
  /** Vars and secrets by name; each Worker gets those that wrangler.toml lists for it. */
  bindings: Record<string, string>
  rateLimits: boolean
  /** Seconds before a queue delivers again what failed, instead of wrangler.toml's. */
  queueRetryDelay?: number | undefined
  outbound: Outbound
  /** Where KV is kept; in memory without it. */
  folder?: string | undefined
  /** Bundled scripts by group ({@link buildScripts}). */
  scripts: Map<string, string>
}

/** A limit that nobody reaches turns a rate limit off without another code path. */
const NO_LIMIT = 1_000_000_000

/** The limits by address that are counted in Postgres: they are off with the others. */
const NO_LIMITS_BY_ADDRESS = { REGISTRY_KEYS_PER_ADDRESS: String(NO_LIMIT) }

/**
 * Bundles every Worker of wrangler.toml; with `allowLocalWebhooks` they send webhooks to this machine, too.
 */
export async function buildScripts({ allowLocalWebhooks = false } = {}): Promise<Map<string, string>> {
  const workers = readWorkers()
  const scripts = await bundleWorkers(
    workers.map((worker) => worker.main),
    allowLocalWebhooks,
  )
  return new Map(workers.map((worker, i) => [worker.group, scripts[i] ?? '']))
}

/**
 * Runs every Worker of wrangler.toml in workerd behind one origin on loopback.
 * @throws Error that names the port when it is taken, or the secret that is missing
 */
export async function startWorkers(options: WorkersOptions) {
  const workers = readWorkers()
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port,
      // Otherwise Miniflare asks an outside host for this machine's location at start.
      cf: false,
      handleStructuredLogs: options.onLog,
      ...(options.folder === undefined ? {} : { resourcePersistencePath: options.folder }),
      workers: workers.map((worker) => ({
        ...miniflareOptions(worker, options),
        script: options.scripts.get(worker.group) ?? '',
      })),
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
  return {
    url,
    crons: workers.flatMap(({ group, crons }) => crons.map((cron) => ({ group, cron }))),
    /** Runs a Worker's scheduled handler once, as its cron would. */
    async runCron(group: string, cron: string) {
      const name = workers.find((worker) => worker.group === group)?.name
      if (name === undefined) throw new Error(`wrangler.toml has no [env.${group}]`)
      const worker = await miniflare.getWorker(name)
      await worker.scheduled({ cron, scheduledTime: new Date(options.clock.now()) })
    },
    stop: () => miniflare.dispose(),
  }
}

function miniflareOptions(worker: WorkerConfig, options: WorkersOptions) {
  const { bindings, rateLimits, clock, outbound, queueRetryDelay } = options
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
    name: worker.name,
    modules: true as const,
    routes: worker.routes,
    bindings: Object.fromEntries(values),
    ratelimits: Object.fromEntries(
      Object.entries(ratelimits ?? {}).map(([name, limit]) => [
        name,
        rateLimits ? limit : { ...limit, simple: { ...limit.simple, limit: NO_LIMIT } },
      ]),
    ),
    queueConsumers: Object.fromEntries(
      Object.entries(queueConsumers ?? {}).map(([name, consumer]) => [
        name,
        queueRetryDelay === undefined ? consumer : { ...consumer, retryDelay: queueRetryDelay },
      ]),
    ),
    serviceBindings: {
      ...(rest.serviceBindings as object | undefined),
      LOCAL_CLOCK: () => new Response(String(clock.offset())),
    },
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
