import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import type { Job } from '../../lib/clock/jobs.ts'
import { isWellKnown } from '../../lib/http/operation.ts'
import { buildWorkers } from '../../lib/local/build.ts'
import { type Clock, createClock } from '../../lib/local/clock.ts'
import { startOnPort } from '../../lib/local/loopback.ts'
import { isProbe } from '../../lib/local/outgoing.ts'
import { openEmbeddedSolana } from '../../lib/local/solana.ts'
import { startWorkers } from '../../lib/local/workers/start.ts'
import { generateCardKeys, generateSessionKeys, type SessionKeys } from '../../lib/tools/keys/jwks.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import type { Permission } from '../../schema/values.ts'
import type { expectDocumented } from './conformance.ts'
import type { createDatabase } from './database.ts'
import { makeDue } from './due.ts'
import { collectLogs } from './logs.ts'
import { breaking, count, type Fault, type Server, through } from './outside.ts'
import { recorderOfProcess } from './upgrade/recorder.ts'
import { withConstants, withLimits } from './worker-changes.ts'
import { behindGateway, boundTo, without } from './worker-groups.ts'

export type { Fault }
export type Body = Record<string, unknown>
export type Answer = { status: number; headers: Headers; body: Body; text: string }
export type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; raw?: BodyInit; headers?: Record<string, string>; token?: string | undefined },
) => Promise<Answer>

/** So that no test waits a second for a verification that is due. */
const QUEUE_BATCH_TIMEOUT_S = 0.1

/**
 * The jobs of each Worker, without the daily one: it sends more statements than all others, which few tests
 * need.
 */
const JOBS_OF = {
  jobs: ['hires', 'verifications', 'deliveries'],
  settlement: ['settlement', 'positions'],
  probes: ['looks'],
} satisfies Record<string, Job[]>

/** Where HEARTBEAT_URL and ALERT_URL of a test lead. */
export const OPERATOR_HOST = 'operator.example'

/** How long a session lives. */
const SESSION_MS = 24 * 3_600_000

/** Read once for all test files of a process: no source changes while they run. */
let building: ReturnType<typeof buildWorkers> | undefined

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Starts all Workers in workerd, with their own database on the real Postgres and their own chain. The clock
 * can be moved; servers outside count calls and can fail. Every answer is compared with the API description.
 */
export async function startService(
  options: {
    rateLimits?: boolean
    /** Lower limits, by binding, where a busy machine can't send in a minute what the real ones allow. */
    limits?: Record<string, number>
    bindings?: Record<string, string>
    keys?: SessionKeys
    /**
     * The groups whose Workers the file needs, by default all. Each takes a tenth of a second to start. The
     * Workers that they are bound to start, too.
     */
    groups?: string[]
    /** Seconds. */
    queueRetryDelay?: number
    /**
     * Other values of constants in Workers' code, by group and name: pauses that a test would have to wait
     * for, and the time limits that a test waits for. All other time limits are long.
     */
    constants?: Record<string, Record<string, number>>
    /**
     * Has the service's time stand still but for moves of its clock, where a test counts what happens within
     * a time. All that happens between two moves has the same time: lists have no order.
     */
    stopped?: boolean
    /** Whether messages of queues wait, by the machine's clock; by default they do. */
    queueDelays?: boolean
    /** Where it listens; by default on a free port. */
    port?: number
    /** Whether API_ORIGIN is where it listens, as its console and consents need. */
    knowsOrigin?: boolean
    /** How requests reach the Workers: by a route for each (the default), or through root. */
    topology?: 'routes' | 'gateway'
    /** Groups that the deployment does without, as GROUPS_OF_SOLANA. */
    without?: readonly string[]
    /** Other code for Workers, by group. */
    scripts?: Record<string, string>
    /** Another database than a new one of this vitest worker's Postgres. */
    database?: Awaited<ReturnType<typeof createDatabase>>
    /** Holds every answer against something else than the API description. */
    check?: typeof expectDocumented
  } = {},
) {
  building ??= buildWorkers()
  const chosen = boundTo(await building, options.groups)
  const offered = options.without ? without(options.without, chosen) : chosen
  const built = options.topology === 'gateway' ? behindGateway(offered) : offered
  // Vitest's own modules load in its processes alone.
  const database =
    options.database ?? (await (await import('./database.ts')).createDatabase(recorderOfProcess()))
  const check = options.check ?? (await import('./conformance.ts')).expectDocumented
  const keys = options.keys ?? (await generateSessionKeys(new Date()))
  const clock = createClock(0, options.stopped ? Date.now() : undefined)
  const logs = collectLogs()
  const solana = await openEmbeddedSolana({ clock, port: 0 })
  const sql: Server = { calls: 0, answer: database.handler }
  const webhooks: Server = { calls: 0, answer: () => new Response(null, { status: 204 }) }
  const probes: Server = { calls: 0, answer: notFound }
  const operator: Server = { calls: 0, answer: () => new Response(null, { status: 204 }) }
  const webhookKeys = generateWebhookKeys()
  const secretsKey = generateSecretsKey()
  const cardKeys = await generateCardKeys(new Date())
  const rpc: Server = { calls: 0, answer: (request) => solana.outbound(request) ?? notFound() }
  const serverOf = (request: Request) => {
    if (request.headers.has('webhook-id')) return webhooks
    if (isProbe(request)) return probes
    if (new URL(request.url).host === OPERATOR_HOST) return operator
    return request.url === solana.bindings.SOLANA_RPC_URL ? rpc : sql
  }
  const launch = (port: number, changes: Record<string, string> = {}) =>
    startWorkers({
      port,
      clock,
      onLog: logs.add,
      bindings: {
        ...keys,
        ...webhookKeys,
        ...secretsKey,
        ...cardKeys,
        DATABASE_URL: 'postgresql://test:test@db.agentcred.internal/test',
        ...solana.bindings,
        ...(options.knowsOrigin ? { API_ORIGIN: `http://127.0.0.1:${port}` } : {}),
        ...options.bindings,
        ...changes,
      },
      rateLimits: options.rateLimits ?? false,
      alarms: false,
      queueDelays: options.queueDelays ?? true,
      queueRetryDelay: options.queueRetryDelay,
      queueBatchTimeout: QUEUE_BATCH_TIMEOUT_S,
      workers: built.map((worker) => ({
        ...worker,
        script:
          options.scripts?.[worker.group] ?? withConstants(worker.script, options.constants?.[worker.group]),
        options: withLimits(worker.options, options.limits),
      })),
      outbound: (request) => through(serverOf(request), request),
    })
  const { port: wantedPort = 0 } = options
  let workers = await (options.knowsOrigin ? startOnPort(wantedPort, launch) : launch(wantedPort))
  let settings: Record<string, string> = { ...solana.bindings, ...options.bindings }
  let origin = workers.url.origin
  const call: Call = async (method, path, { body, raw, headers = {}, token } = {}) => {
    const response = await fetchFrom(origin + (isWellKnown(path) ? '' : '/v1') + path, {
      method,
      redirect: 'manual',
      headers: {
        // To unpack what Miniflare would compress took a sixth of this process's time.
        'accept-encoding': 'identity',
        // workerd may close a persistent connection just when the next request is sent on it.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(raw === undefined ? {} : { body: raw, duplex: 'half' }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : {},
      text,
    }
    check(method, path, answer, () => logs.of(answer.headers.get('x-request-id')))
    return answer
  }
  /** Returns a wallet with a session, which has all or some of the wallet's permissions. */
  const signIn = async (wallet: KeyWallet = createWallet(), permissions?: Permission[]) => {
    const challenge = await call('GET', '/auth/handshake')
    const body = { ...answerTo(challenge.body, wallet), permissions }
    const session = await call('POST', '/auth/handshake', { body })
    const token = String(session.body.sessionToken)
    const as: Call = (method, path, rest) => call(method, path, { ...rest, token })
    return { wallet, token, call: as }
  }
  /** A wallet's calls, each in a session that has not ended: tests travel further than one lives. */
  const stayIn = (wallet: KeyWallet): Call => {
    let session: { call: Call; renewAt: number } | undefined
    return async (...args) => {
      const now = clock.now()
      if (session === undefined || now >= session.renewAt)
        session = { call: (await signIn(wallet)).call, renewAt: now + SESSION_MS / 2 }
      return session.call(...args)
    }
  }
  return {
    get origin() {
      return origin
    },
    call,
    signIn,
    stayIn,
    clock: forPatient(clock),
    keys,
    webhookKeys,
    database,
    /** The log of the Workers. */
    logs,
    /** Runs the jobs of a Worker, one after the other, as the Clock would if they were due. */
    async runJobs(group: keyof typeof JOBS_OF) {
      if (group === 'settlement') await makeDue(database.engine)
      for (const kind of JOBS_OF[group]) await workers.runJob(kind)
    },
    /** Runs a Worker's cron. */
    runCron: (group: string, cron: string) => workers.runCron(group, cron),
    /** Runs a job. @returns when the job is next due, if it is */
    runJob: (kind: Job) => workers.runJob(kind),
    /** Runs the alarm of a wallet's sockets, if it is due. */
    reachLiveAlarm: (wallet: string) => workers.reachLiveAlarm(wallet),
    /** Returns how often an alarm of the Clock has woken the database. */
    wakes: () => workers.wakes(),
    /** Returns the number of runs that have leased deliveries and have not ended. */
    leases: () => workers.leases(),
    /** Runs what is due by the Clock's alarm. @returns when the alarm comes next, in Unix milliseconds */
    reachAlarm: () => workers.reachAlarm(),
    /** Deploys the Workers anew with other settings, over the same database and chain. */
    async redeploy(changes: Record<string, string>) {
      await workers.stop()
      workers = await launch(options.knowsOrigin ? Number(workers.url.port) : wantedPort, changes)
      settings = { ...solana.bindings, ...options.bindings, ...changes }
      origin = workers.url.origin
    },
    solana,
    /** The settings of keys that the Workers have, and others that were deployed. */
    settings: () => settings,
    /** The number of requests that reached the database while `action` ran. */
    countSql: (action: () => Promise<unknown>) => count(sql, action),
    /** The number of requests that reached the RPC node while `action` ran. */
    countRpc: (action: () => Promise<unknown>) => count(rpc, action),
    /** Answers every webhook from now on. By default they are answered 204. */
    onWebhook: (answer: Fault) => {
      webhooks.answer = answer
    },
    /** Answers every probe of an agent's endpoint from now on. By default they are answered 404. */
    onProbe: (answer: Fault) => {
      probes.answer = answer
    },
    /** Answers requests to an operator's URLs at OPERATOR_HOST. By default they are answered 204. */
    onOperator: (answer: Fault) => {
      operator.answer = answer
    },
    /** Breaks the database's server while `action` runs. */
    withFault: <T>(broken: Fault, action: () => Promise<T>) => breaking(sql, broken, action),
    /** Breaks the RPC node while `action` runs. */
    withRpcFault: <T>(broken: Fault, action: () => Promise<T>) => breaking(rpc, broken, action),
    async stop() {
      await workers.stop()
      await solana.close()
      await database.close()
    },
  }
}

/** A test that moves the clock further into the past than this does not wait for a time to come by itself. */
const HELD_UP_MS = 60_000

/** A clock for tests that may be delayed on their way to a time, which then comes by itself. */
const forPatient = (clock: Clock): Clock => ({
  ...clock,
  travelTo: (time) =>
    clock.travelTo(time).catch((error: unknown) => {
      if (!(error instanceof RangeError) || time < clock.now() - HELD_UP_MS) throw error
    }),
})

/**
 * Sends a request; a GET once more when the connection is gone. A test that sends by itself may leave one
 * that workerd closes, such as after a body that it has refused unread.
 */
async function fetchFrom(url: string, init: RequestInit & { method: string }): Promise<Response> {
  const send = () => fetch(url, init)
  return init.method === 'GET' ? send().catch(send) : send()
}

const notFound = () => new Response(null, { status: 404 })

/** The body that answers a challenge, signed by a wallet. */
export const answerTo = (challenge: Body, wallet: KeyWallet) => ({
  nonce: String(challenge.nonce),
  signature: wallet.sign(String(challenge.challenge)),
  publicKey: wallet.publicKey,
})
