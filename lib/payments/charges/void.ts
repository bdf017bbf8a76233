import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { Refusal } from '../../refusal.ts'
import type { Charge } from './charge-queries.ts'
import { voidCharge } from './void-queries.ts'

/**
 * Takes back a charge, whose period has its amount again. One that is voided already stays as it is.
 * @throws Refusal charge_not_found, for a charge of another's agent too; charge_not_voidable
 */
export async function takeBack(
  deps: { db: Db; now: Date; nudge: Nudge },
  owner: Wallet,
  id: string,
): Promise<Charge> {
  const outcome = await voidCharge(deps.db, { id, owner, now: deps.now })
  if (!outcome) throw new Refusal('charge_not_found', 'None of your agents has such a charge.')
  const { charge, due } = outcome
  deps.nudge(due)
  if (charge.state === 'voided') return charge
  throw new Refusal('charge_not_voidable', `A charge that is ${charge.state} can not be voided.`)
}
