import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { HireRequest } from '../../../schema/wire/hires.ts'
import { ApiError } from '../../api-error.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { addressHash } from '../../quotas/address.ts'
import {
  ACTIVE_HIRES_CHECK,
  activeHiresFull,
  HIRES_CHECK,
  hiredTooOften,
  tooManyHires,
} from '../../quotas/errors.ts'
import { agentNotFound } from '../errors.ts'
import { type HireOfAgent, hireAsStored } from './hire-list-queries.ts'

/**
 * Hires an agent for a term of whole days from now.
 * @param address the client address, against which the hire counts
 * @param grant the id of the session's grant, whose spending limit bounds the hire's budget
 * @throws ApiError agent_not_found, agent_not_active, layers_not_supported, already_hired
 * @throws ApiError invalid_request, spend_limit_exceeded if the grant does not allow the hire
 * @throws ApiError price_changed if the agent's price is not the one in the request
 * @throws ApiError quota_exceeded above the active hires of a wallet
 * @throws ApiError rate_limited above the hires of a wallet per day, or of an address per hour
 */
export async function hireAgent(
  {
    db,
    now,
    notify,
    schedule,
    hiresPerAddress,
  }: { db: Db; now: Date; notify: Notify; schedule: ScheduleJob; hiresPerAddress: number },
  wallet: Wallet,
  { expiresInDays: termDays, ...input }: InferOutput<typeof HireRequest>,
  address: string,
  grant?: string,
): Promise<HireOfAgent> {
  const id = uuidv7({ msecs: now.getTime() })
  const counted = { addressHash: await addressHash('hires', address), hiresPerAddress }
  const [{ outcome, agentStatus, supportedLayers, remaining, toNotify }, [hired]] = await postgres.hireAgent
    .callThenRead(
      db,
      { ...input, ...counted, id, wallet, grant, termDays, now },
      hireAsStored.item({ id, wallet }),
    )
    .catch((error) => {
      const violated = violatedConstraint(error)
      if (violated === HIRES_CHECK) throw hiredTooOften(now)
      throw violated === ACTIVE_HIRES_CHECK ? activeHiresFull() : error
    })
  switch (outcome) {
    case 'agent_not_found':
      throw agentNotFound()
    case 'agent_not_active':
      throw new ApiError('agent_not_active', `The agent is ${agentStatus} and can't be hired.`)
    case 'layers_not_supported':
      throw layersNotSupported(input.layers ?? [], supportedLayers ?? [])
    case 'price_changed':
      throw new ApiError(
        'price_changed',
        'The agent’s price has changed. Read the agent, then hire it at its current price.',
        { errors: [{ path: 'feeAmount', message: 'is not the agent’s price' }] },
      )
    case 'already_hired':
      throw new ApiError('already_hired', 'You have already hired this agent. End that hire first.')
    case 'budget_limit_required':
      throw notGranted('budgetLimit', 'is required')
    case 'renewal_not_granted':
      throw notGranted('autoRenew', 'must be false')
    case 'spend_limit_exceeded':
      throw new ApiError('spend_limit_exceeded', `The client may spend ${remaining} more lamports.`, {
        remaining: remaining ?? 0n,
      })
    case 'too_many_hires':
      throw tooManyHires(hiresPerAddress, now)
    case 'hired': {
      if (!hired) throw new Error('the recorded hire is missing')
      notify(toNotify)
      schedule('hires', hired.hire.expiresAt)
      return { ...hired, spent: 0n }
    }
  }
}

/** The error for a field with a value that the session's grant does not allow. */
const notGranted = (path: string, message: string) =>
  new ApiError('invalid_request', `${path} ${message}: the client has a spending limit.`, {
    errors: [{ path, message }],
  })

function layersNotSupported(wanted: number[], supported: number[]): ApiError {
  const missing = wanted.filter((layer) => !supported.includes(layer))
  return new ApiError('layers_not_supported', `The agent does not support layer ${missing.join(', ')}.`, {
    errors: [{ path: 'layers', message: `must be among ${supported.join(', ')}` }],
  })
}
