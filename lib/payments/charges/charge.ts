import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { CHARGES_PER_DAY, MAX_CHARGED, UNPAID_CHARGES } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { ChargeRequest } from '../../../schema/wire/payments.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { CHARGES_CHECK, UNPAID_CHECK } from '../../quotas/charge-queries.ts'
import { usedUp } from '../../quotas/refusals.ts'
import { Refusal } from '../../refusal.ts'
import { faultsOf, unitsOf } from '../rules.ts'
import { type Charge, insertCharge } from './charge-queries.ts'

type Input = InferOutput<typeof ChargeRequest>
type Outcome = NonNullable<Awaited<ReturnType<typeof insertCharge>>>

/**
 * Records what is due to the owner for work of its agent. The same again gives the recorded charge.
 * @throws Refusal hire_not_found, for another's agent too; charge_differs, hire_not_active, agent_suspended,
 *   charge_invalid, budget_exhausted, rate_limited above a day's number, quota_exceeded while too many stand
 *   unpaid
 */
export async function chargeHire(
  deps: { db: Db; now: Date; nudge: Nudge },
  owner: Wallet,
  input: Input,
): Promise<Charge> {
  const id = uuidv7({ msecs: deps.now.getTime() })
  const outcome = await insertCharge(deps.db, { ...input, id, owner, now: deps.now }).catch((error) => {
    const violated = violatedConstraint(error)
    if (violated === CHARGES_CHECK) throw usedUpToday(deps.now)
    throw violated === UNPAID_CHECK ? tooManyUnpaid() : error
  })
  if (!outcome) throw new Refusal('hire_not_found', 'None of your agents has such a hire.')
  deps.nudge(outcome.due)
  if (outcome.recorded) return outcome.recorded
  if (outcome.before) return sameOf(outcome.before, outcome, input)
  throw refusalOf(outcome, input)
}

const DETAILS = ['hireId', 'capturedValue', 'share', 'layer', 'description'] as const

/** The charge that was recorded before, if this is the same request. */
function sameOf(before: Charge, { hire }: Outcome, input: Input): Charge {
  const different: string[] = DETAILS.filter((field) => before[field] !== (input[field] ?? null))
  if (before.units !== (unitsOf(hire, input) ?? null)) different.push('units')
  if (different.length === 0) return before
  throw new Refusal(
    'charge_differs',
    `The agent has a charge of this reference, with another ${different.join(', ')}.`,
  )
}

/** Says why a charge was not recorded. */
function refusalOf({ agent, hire, spent }: Outcome, input: Input): Refusal {
  if (hire.state !== 'active') {
    return new Refusal(
      'hire_not_active',
      `The hire has ${hire.state === 'expired' ? 'expired' : 'been terminated'} on ${hire.endedAt?.toISOString()}.`,
    )
  }
  if (agent.status === 'suspended') {
    return new Refusal('agent_suspended', 'An operator has suspended the agent, so it can not charge.')
  }
  const errors = faultsOf(hire, input)
  if (input.layer !== undefined && !hire.layersEnabled.includes(input.layer)) {
    errors.push({ path: 'layer', message: `must be among ${hire.layersEnabled.join(', ')}` })
  }
  const [first] = errors
  if (first) return new Refusal('charge_invalid', `${first.path} ${first.message}.`, { errors })
  const remaining = (hire.budgetLimit ?? MAX_CHARGED) - (spent ?? 0n)
  const left =
    hire.budgetLimit === null
      ? `The charges of a period come to ${MAX_CHARGED} lamports at most, a budget or not: ${remaining} remain.`
      : `Of this period’s budget ${remaining} lamports remain.`
  return new Refusal('budget_exhausted', left, { remaining })
}

const usedUpToday = (now: Date) =>
  usedUp('charges', { policy: 'charges', limit: CHARGES_PER_DAY, per: 'day', now })

const tooManyUnpaid = () =>
  new Refusal(
    'quota_exceeded',
    `Of a wallet’s charges at most ${UNPAID_CHARGES} more may stand unpaid, voided ones among them, than were ever paid. Collect some first.`,
  )
