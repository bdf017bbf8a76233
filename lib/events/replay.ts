import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import type { Db } from '../db/connect.ts'
import { endpointDisabled, endpointUnconfirmed } from './endpoints/errors.ts'
import type { DeliveryRow } from './list-queries.ts'
import type { Notify } from './outbox/notify.ts'
import { replayEvent } from './replay-queries.ts'

/**
 * Sends an event to an endpoint of the wallet again, with a whole new schedule of attempts.
 * @param input.endpointId the endpoint; by default the webhook of the wallet's agent
 * @throws ApiError `event_not_found`, `webhook_missing`, `webhook_disabled`, `webhook_unconfirmed`
 */
export async function replay(
  deps: { db: Db; now: Date; notify: Notify },
  wallet: Wallet,
  input: { id: string; endpointId?: string | undefined },
): Promise<DeliveryRow> {
  const found = await replayEvent(deps.db, { ...input, wallet, now: deps.now })
  if (!found) throw new ApiError('event_not_found', 'No event in your log has this id.')
  const { delivery } = found
  if (delivery) {
    deps.notify([delivery.endpointId])
    return delivery
  }
  if (found.hasEndpoint) throw found.isLive ? endpointUnconfirmed() : endpointDisabled()
  throw new ApiError(
    'webhook_missing',
    input.endpointId === undefined
      ? 'None of your agents’ webhooks gets this event. Set endpointId.'
      : 'None of your endpoints with this id gets this event.',
  )
}
