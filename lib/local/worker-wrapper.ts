/**
 * Wraps every Worker, in the local bundle only. It moves the Worker's clock, dates its answers by it, and
 * switches its rate limits off. For tests it counts KV calls and makes them fail. Production bundles start at
 * functions/<group>/index.ts, without this file.
 */

import { env as bindings, WorkerEntrypoint } from 'cloudflare:workers'
import type { AlarmClock, Timer } from '../clock/clock.ts'
import type { Due, Job } from '../clock/jobs.ts'
import { movedBy, type Outage, type Outages } from '../clock/outages.ts'
import { FOREIGN, isForeign } from './foreign.ts'

/** How far the Worker's clock is ahead of the machine's, in milliseconds; below 0 it is behind. */
let offsetMs = 0
let isOffsetKnown = false
/** The time of the machine's clock if it is stopped for this Worker. */
let stoppedAt: number | undefined

function moveForward(newOffsetMs: number) {
  offsetMs = isOffsetKnown ? Math.max(offsetMs, newOffsetMs) : newOffsetMs
  isOffsetKnown = true
}

const MachineDate = Date
const now = () => (stoppedAt ?? MachineDate.now()) + offsetMs
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})

/**
 * The binding to the platform's server. Through Miniflare's outboundService a request would pass two more
 * Workers, which cost more than the request.
 */
const { LOCAL_OUTBOUND } = bindings as unknown as { LOCAL_OUTBOUND: Fetcher }
globalThis.fetch = (input, init) => LOCAL_OUTBOUND.fetch(input, init)

/** The platform moves the Worker's clock by this; forward only. A Worker has one isolate here. */
export class LocalClock extends WorkerEntrypoint {
  moveTo(newOffsetMs: number): void {
    moveForward(newOffsetMs)
  }
}

type LocalEnv = Record<string, unknown> & {
  /** The clock's offset when the Worker was started. */
  LOCAL_CLOCK_OFFSET: number
  /** The time of a stopped machine's clock, or null. */
  LOCAL_CLOCK_STOPPED_AT: number | null
  /** The names of the rate limits that allow everything. */
  LOCAL_LIMITS_OFF: string[]
  /** No alarm fires by itself: tests run due jobs. */
  LOCAL_ALARMS_OFF: boolean
  /** Refuses requests from other hosts and their pages. */
  LOCAL_ALONE: boolean
  /** Queues ignore delays, which would run on the machine's clock. */
  LOCAL_DELAYS_OFF: boolean
}

type ClockClass = new (ctx: DurableObjectState, env: LocalEnv) => Clock

/** The Clock's public members, since an abstract class can't be instantiated here. */
type Clock = Pick<AlarmClock<LocalEnv>, 'wakeBy'> & {
  alarm(): Promise<void>
  /** LiveLog has none of the next two. */
  answered?(): Promise<void>
  outages?(until: number): Promise<Outage[]>
  /** LiveLog does not have it. */
  check?(): Promise<void>
  timer(): Timer
  jobRuns(): ReturnType<AlarmClock<LocalEnv>['jobRuns']>
}

/** The storage key of an alarm that tests run. */
const ALARM = 'local-alarm'
/** The storage key of the clock's offset that the outages were last moved to. */
const OUTAGES_OFFSET = 'local-outages-offset'

/**
 * Wraps the Clock and other objects with a timer. Their alarms follow the moved clock, and tests run them and
 * the Clock's jobs.
 */
export const wrappedObject = (Base: ClockClass): ClockClass =>
  class extends Base {
    readonly #areAlarmsOff: boolean
    readonly #storage: DurableObjectStorage
    #wakes = 0

    constructor(ctx: DurableObjectState, env: LocalEnv) {
      super(ctx, prepared(env))
      this.#areAlarmsOff = env.LOCAL_ALARMS_OFF
      this.#storage = ctx.storage
    }

    override timer(): Timer {
      if (this.#areAlarmsOff) {
        // Like the runtime's alarm it outlives the object, which leaves memory after ten seconds without a
        // call.
        const storage = this.#storage
        return {
          set: (at) => storage.put(ALARM, at),
          get: async () => (await storage.get<number>(ALARM)) ?? null,
        }
      }
      // Alarms run on the machine's clock.
      const { set, get } = super.timer()
      return {
        set: (at) => set(at - offsetMs),
        get: async () => {
          const at = await get()
          return at === null ? null : at + offsetMs
        },
      }
    }

    /** Does not reset an alarm that tests have not run yet. */
    override async check(): Promise<void> {
      const at = this.#areAlarmsOff ? await this.timer().get() : null
      if (at === null || at > Date.now()) await super.check?.()
    }

    override async answered(): Promise<void> {
      await this.#moveOutages()
      await super.answered?.()
    }

    override async outages(until: number): Promise<Outage[]> {
      await this.#moveOutages()
      return (await super.outages?.(until)) ?? []
    }

    override async alarm(): Promise<void> {
      await this.#moveOutages()
      await super.alarm()
    }

    /** Leaves out the time that the platform skipped, which is no outage. */
    async #moveOutages(): Promise<void> {
      const before = await this.#storage.get<number>(OUTAGES_OFFSET)
      if (before === offsetMs) return
      const outages = await this.#storage.get<Outages>('outages')
      if (outages) await this.#storage.put('outages', movedBy(outages, offsetMs - (before ?? 0)))
      await this.#storage.put(OUTAGES_OFFSET, offsetMs)
    }

    /** Returns how many alarms have run jobs. */
    async wakes(): Promise<number> {
      return this.#wakes
    }

    /** Returns how many runs have leased deliveries and not ended. */
    async leases(): Promise<number> {
      const { leases = {} } = (await this.#storage.get<{ leases?: object }>('schedule')) ?? {}
      return Object.keys(leases).length
    }

    override jobRuns() {
      this.#wakes += 1
      return super.jobRuns()
    }

    /** Runs the alarm if it is due. @returns the time of the next one, in Unix milliseconds */
    async reachAlarm(): Promise<number | null> {
      if ((await this.timer().get()) === null) await this.check?.()
      const at = await this.timer().get()
      if (at !== null && at <= Date.now()) await this.alarm()
      return this.timer().get()
    }

    /** Runs one job now, due or not. @returns its result, or `failed` */
    async runJob(kind: Job): Promise<Due | undefined | 'failed'> {
      return super
        .jobRuns()
        .run(kind)
        .catch(() => 'failed' as const)
    }
  }

type ToolsClass = new (ctx: ExecutionContext, env: LocalEnv) => WorkerEntrypoint<LocalEnv>

/** Wraps the entrypoint Tools, which is the Worker's application with the same bindings. */
export const wrappedTools = (Base: ToolsClass): ToolsClass =>
  class extends Base {
    constructor(ctx: ExecutionContext, env: LocalEnv) {
      super(ctx, prepared(env))
    }
  }

/** A request header. The answer has the number of KV calls in a header of the same name. */
const COUNT_KV_CALLS = 'x-local-kv-calls'

/** A request header that makes KV calls fail: `throws` or `hangs`. */
const KV_FAULT = 'x-local-kv-fault'

/** Wraps a Worker's handlers. */
export const wrapped = (worker: ExportedHandler<LocalEnv>): ExportedHandler<LocalEnv> => ({
  async fetch(request, env, ctx) {
    if (env.LOCAL_ALONE && isFromElsewhere(request)) return new Response(FOREIGN, { status: 403 })
    const local = prepared(env)
    const fault = request.headers.get(KV_FAULT)
    const kv = fault || request.headers.has(COUNT_KV_CALLS) ? watchKv(local, fault) : undefined
    const answer = (await worker.fetch?.(request, kv?.env ?? local, ctx)) ?? notFound()
    if (answer.webSocket) return answer
    const response = new Response(answer.body, answer)
    // The edge dates every answer; here by the platform's clock.
    response.headers.set('date', new Date().toUTCString())
    if (kv) response.headers.set(COUNT_KV_CALLS, String(kv.calls()))
    return response
  },
  scheduled: (controller, env, ctx) => worker.scheduled?.(controller, prepared(env), ctx),
  queue: (batch, env, ctx) => worker.queue?.(batch, prepared(env), ctx),
})

/**
 * A call of another Worker has no Host. The URL proves nothing: Miniflare takes it from a header that any
 * client may send. No page can change its Host.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const host = headers.get('host')
  return host !== null && isForeign(host, headers.get('origin'))
}

const notFound = () => new Response(null, { status: 404 })

/** The bindings for the Worker. The runtime passes the same object in every call. */
let known: { env: LocalEnv; prepared: LocalEnv } | undefined

function prepared(env: LocalEnv): LocalEnv {
  if (known?.env !== env) {
    stoppedAt = env.LOCAL_CLOCK_STOPPED_AT ?? undefined
    moveForward(env.LOCAL_CLOCK_OFFSET)
    const off = env.LOCAL_LIMITS_OFF.map((name) => [name, NO_LIMIT])
    const queues = env.LOCAL_DELAYS_OFF
      ? Object.entries(env).flatMap(([name, binding]) =>
          isQueue(binding) ? [[name, undelayed(binding)]] : [],
        )
      : []
    known = { env, prepared: { ...env, ...Object.fromEntries([...off, ...queues]) } }
  }
  return known.prepared
}

const isQueue = (binding: unknown): binding is Queue =>
  typeof binding === 'object' && binding?.constructor.name === 'WorkerQueue'

const undelayed = (queue: Queue): Pick<Queue, 'send' | 'sendBatch'> => ({
  send: (body) => queue.send(body),
  sendBatch: (messages) => queue.sendBatch([...messages].map(({ body }) => ({ body }))),
})

const NO_LIMIT: RateLimit = { limit: async () => ({ success: true }) }

/** Wraps the bindings, so that every method call on a KV namespace is counted, and fails if asked to. */
function watchKv(env: LocalEnv, fault: string | null): { env: LocalEnv; calls: () => number } {
  let calls = 0
  const counted = (namespace: object) =>
    new Proxy(namespace, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          calls += 1
          if (fault === 'throws') return Promise.reject(new Error('KV failed: 500 Internal Server Error'))
          if (fault === 'hangs') return new Promise(() => {})
          return member.apply(target, args)
        }
      },
    })
  const entries = Object.entries(env).map(([name, binding]) => [
    name,
    isKvNamespace(binding) ? counted(binding) : binding,
  ])
  return { env: Object.fromEntries(entries), calls: () => calls }
}

// By its class name, since a service binding claims to have every method.
const isKvNamespace = (binding: unknown): binding is object =>
  typeof binding === 'object' && binding?.constructor.name === 'KvNamespace'
