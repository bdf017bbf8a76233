import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import { type Charge, chargeAsStored } from './charge-queries.ts'

/**
 * Voids a charge and returns its amount to the budget of its period. A voided charge stays as it is.
 * @throws ApiError charge_not_found, also for another owner's charge; charge_not_voidable unless recorded
 */
export async function voidCharge(
  { db, now, notify }: { db: Db; now: Date; notify: Notify },
  owner: Wallet,
  id: string,
): Promise<Charge> {
  const [{ outcome, chargeState, toNotify }, [charge]] = await postgres.voidCharge.callThenRead(
    db,
    { id, owner, builtBy: deadlinePassed(now), now },
    chargeAsStored.item({ id, owner }),
  )
  if (outcome === 'not_voidable')
    throw new ApiError('charge_not_voidable', `A charge that is ${chargeState} cannot be voided.`)
  if (outcome === 'charge_not_found' || !charge)
    throw new ApiError('charge_not_found', 'None of your agents has a charge with this id.')
  notify(toNotify)
  return { ...charge, state: 'voided' }
}
