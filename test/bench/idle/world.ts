import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { neonHandler } from '../../../lib/local/neon/handler.ts'
import { openPostgres } from '../../../lib/migrations/postgres.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { type Service, startService } from '../../support/service.ts'
import type { Bench } from '../harness/bench.ts'
import { atEnd } from '../harness/stops.ts'

/** A request to the database, by the moved clock, and whose: of somebody who came, or of the Clock. */
export type Statement = { at: number; by: 'visit' | 'clock' }

/** Something that somebody does at a time, in Unix milliseconds. */
export type Visit = { at: number; act: () => Promise<unknown> }

/** All Workers over a database of their own, in a time that is moved. */
export type World = {
  service: Service
  /** What their endpoints answer to events, once they have proven that they are theirs. */
  receiver: { isDead: boolean }
  /**
   * Lives until a time.
   * @param hasJobs runs the cron of `work`, which reports to the Clock alone
   * @returns the requests to the database
   */
  live(until: number, visits?: Visit[], hasJobs?: boolean): Promise<Statement[]>
  /** Waits until queues have come to what was put into them. */
  quiet(): Promise<void>
  /**
   * Counts work that has been due for more than a day: a service that only sleeps costs nothing. For
   * deliveries it counts webhook endpoints without an attempt since; deliveries behind a dead endpoint are
   * not due.
   */
  undone(): Promise<number>
}

/** Queues and what a Worker does after its answer are over when nothing has been asked for so long. */
const QUIET_MS = 40
/** Longer than any queue waits for more messages. */
const PREPARED_MS = 1_000
/** A Clock that wakes more often in a month does not come to rest. */
const MAX_WAKES = 20_000

/** The cron of `work` (wrangler.toml). */
const REPORTS_EVERY_MS = 10 * 60_000

const UNDONE = `select
  (select count(distinct endpoint_id) from deliveries where status = 'pending' and next_attempt_at < $1
    and endpoint_id not in (select endpoint_id from delivery_attempts where attempted_at >= $1)
    and endpoint_id not in (select id from endpoints where disabled_at is not null)
    and endpoint_id not in (select id from agents where webhook_disabled_at is not null))
  + (select count(*) from hires where status = 'active' and expires_at < $1)
  + (select count(*) from jobs where due_at < $1)
  + (select count(*) from agent_endpoints where next_probe_at < $1)
  + (select count(*) from payment_intents where status = 'open' and cosigned_at < $1)
  + (select count(*) from vault_intents where status = 'open' and cosigned_at < $1)`

export async function openWorld(bench: Bench, name: string): Promise<World> {
  const { url } = await bench.createDatabase(name)
  const engine = await openPostgres(url)
  const answer = neonHandler(engine)
  const receiver = { isDead: false }
  let statements: Statement[] = []
  let by: Statement['by'] = 'visit'
  let busy = 0
  let lastAt = 0
  const watched = (serve: (request: Request) => Response | Promise<Response>) => async (request: Request) => {
    busy += 1
    try {
      return await serve(request)
    } finally {
      busy -= 1
      lastAt = performance.now()
    }
  }
  const handler = watched((request) => {
    statements.push({ at: service.clock.now(), by })
    return answer(request)
  })
  const service: Service = await startService({
    database: { url, engine, handler, close: () => engine.close(), copy: unused, restore: unused },
    check: () => {},
    // They would come when the moved clock is days ahead.
    queueDelays: false,
  })
  atEnd(() => service.stop())
  service.onWebhook(watched((request) => receive(request, receiver.isDead)))
  service.onProbe(
    watched(({ url }) => new Response(null, { status: url.endsWith('/robots.txt') ? 404 : 200 })),
  )
  const quiet = async (ms = QUIET_MS) => {
    while (busy > 0 || performance.now() - lastAt < ms) await sleep(ms / 4)
  }
  const travelTo = async (at: number) => {
    if (at > service.clock.now()) await service.clock.travelTo(at)
  }
  return {
    service,
    receiver,
    quiet: () => quiet(PREPARED_MS),
    async undone() {
      const before = new Date(service.clock.now() - DAY_MS).toISOString()
      const [result] = await engine.run([{ query: UNDONE, params: [before] }])
      return Number(result?.rows[0]?.[0])
    },
    async live(until, visits = [], hasJobs = false) {
      await quiet(PREPARED_MS)
      statements = []
      const coming = visits.toSorted((one, other) => one.at - other.at)
      by = 'clock'
      let alarm = await service.reachAlarm()
      let report = hasJobs ? service.clock.now() : Infinity
      for (let wakes = 0; wakes < MAX_WAKES; ) {
        const visit = coming[0]
        const next = Math.min(alarm, report, visit?.at ?? Infinity)
        if (next >= until) {
          await travelTo(until)
          return statements
        }
        await travelTo(next)
        if (report <= service.clock.now()) {
          await service.runCron('work', '*/10 * * * *')
          report = service.clock.now() + REPORTS_EVERY_MS
        } else if (visit && visit.at <= service.clock.now()) {
          by = 'visit'
          await coming.shift()?.act()
          await quiet()
          by = 'clock'
        } else wakes += 1
        alarm = await service.reachAlarm()
        await quiet()
      }
      throw new Error('the Clock does not come to rest')
    },
  }
}

/** An endpoint: it proves that it is its owner's, and takes events unless it is dead. */
async function receive(request: Request, isDead: boolean): Promise<Response> {
  if (isDead) return new Response(null, { status: 500 })
  const { type, data } = (await request.json()) as { type: string; data: { challenge?: string } }
  if (type !== 'endpoint.verification') return new Response(null, { status: 204 })
  return new Response(createHash('sha256').update(String(data.challenge)).digest('hex'))
}

const unused = () => Promise.reject(new Error('the bench copies no database'))
