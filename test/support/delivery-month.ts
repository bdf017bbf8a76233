import type { Due } from '../../lib/clock/jobs.ts'
import {
  alarmOf,
  dueJobs,
  newSchedule,
  withAnswer,
  withAsked,
  withEndedLeases,
  withLease,
  withoutLease,
} from '../../lib/clock/schedule.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import type { DueDestination } from '../../lib/events/sending/destinations.ts'
import { leaseBatch, leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { deliver, deliverBatch } from '../../lib/events/sending/run.ts'
import { sweepDeliveries } from '../../lib/events/sending/sweep.ts'

/** How long a database that nobody asks stays awake. */
const AWAKE_MS = 5 * 60_000

/**
 * Runs the deliveries of days in a moment: the product's jobs, runs and schedule, with a queue and a clock of
 * its own. Attempts take no time.
 * @param base the dependencies of sending, besides the queue and the Clock
 */
export function deliveryMonth(
  base: Omit<DeliverDeps, 'clock' | 'enqueue' | 'schedule' | 'leases'>,
  start: Date,
) {
  let now = start.getTime()
  let schedule = { ...newSchedule(now), dues: {} }
  let awakeUntil = -Infinity
  const figures = { wakes: 0, awakeMs: 0 }
  const queue = new Set<string>()
  const alone: { destination: DueDestination; at: number }[] = []
  /** What asks the database something. */
  const touch = () => {
    if (now > awakeUntil) figures.wakes += 1
    figures.awakeMs += now + AWAKE_MS - Math.max(now, awakeUntil)
    awakeUntil = now + AWAKE_MS
  }
  const deps: DeliverDeps = {
    ...base,
    clock: () => new Date(now),
    enqueue: async (ids) => {
      for (const id of ids) queue.add(id)
    },
    schedule: (kind, at, by = at) => {
      schedule = withAsked(schedule, kind, { at: at.getTime(), by: by.getTime() }, false)
    },
    leases: {
      begin: async (id, until) => {
        schedule = withLease(schedule, id, until.getTime())
      },
      end: async (id) => {
        schedule = withoutLease(schedule, id)
      },
    },
  }
  const serveQueue = async () => {
    while (queue.size > 0) {
      const some = [...queue].slice(0, 10)
      for (const id of some) queue.delete(id)
      touch()
      const { batch, others } = await leaseBatch(deps, some)
      if (batch.deliveries.length > 0) await deliverBatch(deps, batch)
      alone.push(...others.map(({ destination, delayMs }) => ({ destination, at: now + delayMs })))
    }
  }
  const serveAlone = async () => {
    alone.sort((one, other) => one.at - other.at)
    const [first] = alone.splice(0, 1)
    if (!first) return
    now = Math.max(now, first.at)
    touch()
    const leased = await leaseDeliveries(deps, first.destination)
    if (leased) await deliver(deps, leased)
  }
  return {
    figures,
    deps,
    now: () => new Date(now),
    /** Notifies endpoints, like a request that has enqueued deliveries. */
    async ask(ids: string[]) {
      for (const id of ids) queue.add(id)
      await serveQueue()
    },
    /** Lets days pass. */
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        await serveQueue()
        const alarm = Math.max(alarmOf(schedule, now), now)
        const [first] = alone.sort((one, other) => one.at - other.at)
        if (Math.min(alarm, first?.at ?? Infinity) > end) break
        if (first && first.at <= alarm) {
          await serveAlone()
          continue
        }
        now = alarm
        touch()
        schedule = withEndedLeases(schedule, now)
        if (!dueJobs(schedule, now).includes('deliveries')) throw new Error('an alarm for nothing')
        const { next }: { next: Due | undefined } = await sweepDeliveries(deps)
        schedule = withAnswer(schedule, 'deliveries', next, now)
      }
      now = end
    },
  }
}
