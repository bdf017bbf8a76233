import { clockIn, type ScheduleJob, schedulerOf } from '../../clock/wake.ts'
import { logError } from '../../runtime/log.ts'
import { sendBestEffort } from '../../runtime/queue.ts'
import { countCalls, type SubrequestCounter } from '../../runtime/subrequests.ts'

/** The binding of a Worker that publishes events to the live Worker. */
export type LiveService = {
  /**
   * Notifies the objects of these wallets that their logs have grown. Workers of release 1.0.0 call it by
   * this name, and its entrypoint by `LiveNudges`, so both stay.
   */
  nudge(wallets: string[]): Promise<void>
}

/** A message on the deliveries queue: the endpoint has a due delivery, which Postgres has. */
export type DeliveryMessage = { endpointId: string }

/**
 * Notifies the jobs Worker of endpoints with due deliveries, and the live Worker of wallets whose logs have
 * grown. The parameter has ids of endpoints and addresses of wallets, as functions of Postgres return them.
 * If the queue rejects a message, the Clock schedules a sweep. A live socket that missed a notification reads
 * the log at the next one. An empty list does nothing.
 */
export type Notify = (toNotify: readonly string[]) => void

/** Whether a string is the id of a webhook endpoint: it has hyphens, and a wallet's address has none. */
export const isEndpoint = (id: string): boolean => id.includes('-')

/** The most wallets of one call to the live Worker, which calls an object for each. */
const MAX_WALLETS = 500

type Background = (work: Promise<unknown>) => void

/**
 * Makes a function that sends on the Worker's queue after the answer.
 * @param env without LIVE no live Worker is notified
 * @param fallback the Clock, for messages that the queue rejects; a Worker that the Clock itself calls needs
 *   none, since the sweep of deliveries follows
 */
export const notifierOf =
  (
    env: { DELIVERIES: Queue<DeliveryMessage>; LIVE?: unknown },
    background: Background,
    fallback?: { schedule: ScheduleJob; now: Date },
  ): Notify =>
  (toNotify) => {
    sendBestEffort(
      {
        ...{ name: 'deliveries', queue: env.DELIVERIES, background },
        onLost: () => fallback?.schedule('deliveries', fallback.now),
      },
      toNotify.filter(isEndpoint).map((endpointId) => ({ endpointId })),
    )
    notifyLive(env, background, toNotify)
  }

/** Notifies the live Worker of the wallets in a list of endpoints and wallets. */
export function notifyLive(
  { LIVE }: { LIVE?: unknown },
  background: Background,
  toNotify: readonly string[],
): void {
  const wallets = [...new Set(toNotify.filter((id) => !isEndpoint(id)))]
  // The types of wrangler have the entrypoint's name, but not its methods.
  const live = LIVE as LiveService | undefined
  if (live === undefined) return
  for (let i = 0; i < wallets.length; i += MAX_WALLETS)
    background(
      live
        .nudge(wallets.slice(i, i + MAX_WALLETS))
        .catch(() => logError({ live: 'notify', reason: 'not sent' })),
    )
}

/**
 * Makes the two functions by which a request's Worker reaches the jobs Worker. `schedule` calls its Clock.
 * `notify` sends on its queue, and also calls the live Worker.
 */
export function scheduleAndNotifyOf(
  env: { CLOCK: unknown; DELIVERIES: Queue<DeliveryMessage>; LIVE?: unknown },
  { now, background, subrequests }: { now: Date; background: Background; subrequests: SubrequestCounter },
): { schedule: ScheduleJob; notify: Notify } {
  const schedule = schedulerOf(clockIn(env, subrequests), background, () => now)
  const DELIVERIES = countCalls(env.DELIVERIES, 'queue', subrequests)
  return { schedule, notify: notifierOf({ ...env, DELIVERIES }, background, { schedule, now }) }
}
