import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { MAX_CHARGED } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { ChargeRequest } from '../../../schema/wire/charges.ts'
import { ApiError } from '../../api-error.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { addressHash } from '../../quotas/address.ts'
import {
  CHARGES_CHECK,
  chargedTooOften,
  tooManyCharges,
  tooManyUnpaid,
  UNPAID_CHECK,
} from '../../quotas/errors.ts'
import { DISCOVER_AFTER_MS, type Fee, unitsOf, workErrors } from '../rules.ts'
import { type Charge, chargeOfReference } from './charge-queries.ts'

type Input = InferOutput<typeof ChargeRequest>
type Decision = Awaited<ReturnType<typeof postgres.recordCharge.call>>

/**
 * Records a charge: an amount due to the owner for its agent's work. A repeated request returns the recorded
 * charge.
 * @param address the client address that the charge counts against
 * @throws ApiError hire_not_found, also for an agent of another owner; charge_differs, hire_not_active,
 *   agent_suspended, charge_invalid, budget_exhausted
 * @throws ApiError rate_limited above the wallet's daily or the address's hourly limit; quota_exceeded while
 *   the owner has too many unpaid charges
 */
export async function chargeHire(
  {
    db,
    now,
    notify,
    schedule,
    chargesPerAddress,
  }: { db: Db; now: Date; notify: Notify; schedule: ScheduleJob; chargesPerAddress: number },
  owner: Wallet,
  input: Input,
  address: string,
): Promise<Charge> {
  const id = uuidv7({ msecs: now.getTime() })
  const counted = { addressHash: await addressHash('charges', address), chargesPerAddress }
  const [decision, [charge]] = await postgres.recordCharge
    .callThenRead(db, { ...input, ...counted, id, owner, now }, chargeOfReference.item(input))
    .catch((error) => {
      const violated = violatedConstraint(error)
      if (violated === CHARGES_CHECK) throw chargedTooOften(now)
      throw violated === UNPAID_CHECK ? tooManyUnpaid() : error
    })
  notify(decision.toNotify)
  if (decision.isUndiscovered) schedule('settlement', new Date(now.getTime() + DISCOVER_AFTER_MS))
  switch (decision.outcome) {
    case 'recorded':
    case 'recorded_before':
      if (!charge) throw new Error('the recorded charge is missing')
      return decision.outcome === 'recorded'
        ? { ...charge, state: 'recorded' }
        : sameOf({ ...charge, state: decision.chargeState ?? 'recorded' }, decision, input)
    case 'hire_not_found':
      throw new ApiError('hire_not_found', 'None of your agents has a hire with this id.')
    case 'hire_not_active':
      throw new ApiError(
        'hire_not_active',
        `The hire ${decision.hireStatus === 'expired' ? 'expired' : 'was terminated'} on ${decision.hireEndedAt?.toISOString()}.`,
      )
    case 'agent_suspended':
      throw new ApiError('agent_suspended', 'An operator has suspended the agent, so it cannot charge.')
    case 'charge_invalid':
      throw invalid(decision, input)
    case 'budget_exhausted':
      throw exhausted(decision)
    case 'too_many_charges':
      throw tooManyCharges(chargesPerAddress, now)
  }
}

const DETAILS = ['hireId', 'capturedValue', 'share', 'layer', 'description', 'result'] as const

/** Returns the charge that was recorded before, if the request has the same details. */
function sameOf(before: Charge, decision: Decision, input: Input): Charge {
  const different: string[] = DETAILS.filter((field) => before[field] !== (input[field] ?? null))
  if (before.units !== (unitsOf(feeOf(decision), input) ?? null)) different.push('units')
  if (different.length === 0) return before
  throw new ApiError(
    'charge_differs',
    `The agent already has a charge with this reference and a different ${different.join(', ')}.`,
  )
}

/** Returns the fee of the hire that was found. */
function feeOf({ feeModel, feeAmount }: Decision): Fee {
  if (feeModel === null || feeAmount === null) throw new Error('the hire has no fee')
  return { feeModel, feeAmount }
}

/** Returns an error that names every field that the hire's fee or layers do not allow. */
function invalid(decision: Decision, input: Input): ApiError {
  const layers = decision.layersEnabled ?? []
  const errors = workErrors(feeOf(decision), input)
  if (input.layer !== undefined && !layers.includes(input.layer))
    errors.push({ path: 'layer', message: `must be among ${layers.join(', ')}` })
  const [first] = errors
  if (!first) throw new Error('a valid charge was rejected')
  return new ApiError('charge_invalid', `${first.path} ${first.message}.`, { errors })
}

function exhausted({ budgetLimit, spent }: Decision): ApiError {
  const remaining = (budgetLimit ?? MAX_CHARGED) - spent
  const left =
    budgetLimit === null
      ? `Without a spending limit, a period has at most ${MAX_CHARGED} lamports of charges. It has ${remaining} lamports left.`
      : `The spending limit of this period has ${remaining} lamports left.`
  return new ApiError('budget_exhausted', left, { remaining })
}
