import { clockIn, type WakeBy, wakeByOf } from '../../clock/wake.ts'
import { logError } from '../../runtime/log.ts'
import { sendBestEffort } from '../../runtime/queue.ts'
import { countCalls, type SubrequestCounter } from '../../runtime/subrequests.ts'

/** The live Worker, as Workers that tell events are bound to it. */
export type LiveService = {
  /** Says that the logs of these wallets have grown. */
  nudge(wallets: string[]): Promise<void>
}

/** A message on the deliveries queue: an endpoint has something due. Postgres knows what. */
export type DeliveryNudge = { endpointId: string }

/**
 * Tells the jobs Worker that deliveries to these endpoints are due, and the live Worker that the logs of
 * these wallets have grown: ids and addresses, as functions of Postgres return them. If the jobs Worker can't
 * be told, the Clock is; a socket finds what it was not told with the next. For none it does nothing.
 */
export type Nudge = (nudges: readonly string[]) => void

/** Tells apart a webhook endpoint's id, which has hyphens, and a wallet's address. */
export const isEndpoint = (nudge: string): boolean => nudge.includes('-')

/** As many logs as one call tells of: each is a call to an object. */
const MAX_WALLETS = 500

type Background = (work: Promise<unknown>) => void

/**
 * Makes the nudge that sends on the Worker's queue once the answer is out.
 * @param env LIVE is missing where nobody can listen
 * @param fallback the Clock, for what the queue does not take; a Worker that the Clock itself calls needs
 *   none, since the round of deliveries follows
 */
export const nudgeBy =
  (
    env: { DELIVERIES: Queue<DeliveryNudge>; LIVE?: unknown },
    background: Background,
    fallback?: { wakeBy: WakeBy; now: Date },
  ): Nudge =>
  (nudges) => {
    sendBestEffort(
      {
        ...{ name: 'deliveries', queue: env.DELIVERIES, background },
        onLost: () => fallback?.wakeBy('deliveries', fallback.now),
      },
      nudges.filter(isEndpoint).map((endpointId) => ({ endpointId })),
    )
    nudgeLive(env, background, nudges)
  }

/** Tells the live Worker of the wallets among these. */
export function nudgeLive(
  { LIVE }: { LIVE?: unknown },
  background: Background,
  nudges: readonly string[],
): void {
  const wallets = [...new Set(nudges.filter((nudge) => !isEndpoint(nudge)))]
  // wrangler's types know the entrypoint's name, not its methods.
  const live = LIVE as LiveService | undefined
  if (live === undefined) return
  for (let i = 0; i < wallets.length; i += MAX_WALLETS)
    background(
      live
        .nudge(wallets.slice(i, i + MAX_WALLETS))
        .catch(() => logError({ live: 'nudge', reason: 'not sent' })),
    )
}

/** What a request's Worker tells the jobs Worker by: its Clock, and the queue of deliveries. */
export function tellersOf(
  env: { CLOCK: unknown; DELIVERIES: Queue<DeliveryNudge>; LIVE?: unknown },
  { now, background, subrequests }: { now: Date; background: Background; subrequests: SubrequestCounter },
): { wakeBy: WakeBy; nudge: Nudge } {
  const wakeBy = wakeByOf(clockIn(env, subrequests), background, () => now)
  const DELIVERIES = countCalls(env.DELIVERIES, 'queue', subrequests)
  return { wakeBy, nudge: nudgeBy({ ...env, DELIVERIES }, background, { wakeBy, now }) }
}
