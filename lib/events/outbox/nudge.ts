import { clockIn, type WakeBy, wakeByOf } from '../../clock/wake.ts'
import { type Meter, metered } from '../../meter.ts'
import { sendBestEffort } from '../../queue.ts'

/** A message on the deliveries queue: an endpoint has something due. Postgres knows what. */
export type DeliveryNudge = { endpointId: string }

/**
 * Tells the jobs Worker that deliveries to these endpoints are due. If that fails, the Clock is told. For
 * none it does nothing.
 */
export type Nudge = (endpointIds: readonly string[]) => void

/**
 * Makes the nudge that sends on the Worker's queue once the answer is out.
 * @param fallback the Clock, for what the queue does not take; a Worker that the Clock itself calls needs
 *   none, since the round of deliveries follows
 */
export const nudgeBy =
  (
    queue: Queue<DeliveryNudge>,
    background: (work: Promise<unknown>) => void,
    fallback?: { wakeBy: WakeBy; now: Date },
  ): Nudge =>
  (endpointIds) =>
    sendBestEffort(
      {
        ...{ name: 'deliveries', queue, background },
        onLost: () => fallback?.wakeBy('deliveries', fallback.now),
      },
      endpointIds.map((endpointId) => ({ endpointId })),
    )

/** What a request's Worker tells the jobs Worker by: its Clock, and the queue of deliveries. */
export function tellersOf(
  env: { CLOCK: unknown; DELIVERIES: Queue<DeliveryNudge> },
  { now, background, meter }: { now: Date; background: (work: Promise<unknown>) => void; meter: Meter },
): { wakeBy: WakeBy; nudge: Nudge } {
  const wakeBy = wakeByOf(clockIn(env, meter), background)
  return { wakeBy, nudge: nudgeBy(metered(env.DELIVERIES, 'queue', meter), background, { wakeBy, now }) }
}
