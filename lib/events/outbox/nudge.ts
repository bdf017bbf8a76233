import { sendBestEffort } from '../../queue.ts'

/** A message on the deliveries queue: an endpoint has something due. Postgres knows what. */
export type DeliveryNudge = { endpointId: string }

/**
 * Tells the jobs Worker that deliveries to these endpoints are due. If that fails, its cron finds them. For
 * none it does nothing.
 */
export type Nudge = (endpointIds: readonly string[]) => void

/** Makes the nudge that sends on the Worker's queue once the answer is out. */
export const nudgeBy =
  (queue: Queue<DeliveryNudge>, background: (work: Promise<unknown>) => void): Nudge =>
  (endpointIds) =>
    sendBestEffort(
      { name: 'deliveries', queue, background },
      endpointIds.map((endpointId) => ({ endpointId })),
    )
