import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import type { Nudge } from '../outbox/nudge.ts'
import { Refusal } from '../refusal.ts'
import type { DeliveryRow } from './delivery-queries.ts'
import { replayEvent } from './replay-queries.ts'

/**
 * Sends an event to the webhook of the wallet's agent once more, with the whole schedule before it.
 * @throws Refusal event_not_found, webhook_missing, webhook_disabled
 */
export async function replay(
  deps: { db: Db; now: Date; nudge: Nudge },
  wallet: Wallet,
  id: string,
): Promise<DeliveryRow> {
  const found = await replayEvent(deps.db, { id, wallet, now: deps.now })
  if (!found) throw new Refusal('event_not_found', 'There is no such event in your log.')
  const { delivery } = found
  if (delivery) {
    deps.nudge(delivery.agentId)
    return delivery
  }
  if (found.hasWebhook) {
    throw new Refusal(
      'webhook_disabled',
      'The endpoint has answered 410, or nothing with 2xx for five days, so nothing is sent to it; set webhookUrl of the agent to enable it.',
    )
  }
  throw new Refusal('webhook_missing', 'The event goes to no webhook of yours.')
}
