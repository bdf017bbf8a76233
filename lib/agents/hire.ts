import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { HireRequest } from '../../schema/wire/agents.ts'
import type { Db } from '../db/connect.ts'
import { violatedConstraint } from '../db/failures.ts'
import type { Nudge } from '../outbox/nudge.ts'
import { ACTIVE_HIRES_CHECK, HIRES_CHECK, hiredTooOften, noPlaceForHire } from '../quotas/hires.ts'
import { Refusal } from '../refusal.ts'
import { DAY_MS } from '../time.ts'
import type { HireOfAgent } from './hire-queries.ts'
import { insertHire } from './hire-start-queries.ts'
import { agentNotFound } from './refusals.ts'

/**
 * Hires an agent for a term of whole days from now.
 * @throws Refusal agent_not_found, agent_not_active, layers_not_supported, already_hired, quota_exceeded with
 *   as many active hires as a wallet may have, rate_limited above a day's number
 */
export async function hireAgent(
  deps: { db: Db; now: Date; nudge: Nudge },
  wallet: Wallet,
  input: InferOutput<typeof HireRequest>,
): Promise<HireOfAgent> {
  const outcome = await insertHire(deps.db, {
    id: uuidv7({ msecs: deps.now.getTime() }),
    wallet,
    agentId: input.agentId,
    layers: input.layers,
    budgetLimit: input.budgetLimit,
    autoRenew: input.autoRenew,
    termDays: input.expiresInDays,
    now: deps.now,
    expiresAt: new Date(deps.now.getTime() + input.expiresInDays * DAY_MS),
  }).catch((error) => {
    const violated = violatedConstraint(error)
    if (violated === HIRES_CHECK) throw hiredTooOften(deps.now)
    throw violated === ACTIVE_HIRES_CHECK ? noPlaceForHire() : error
  })
  if (!outcome) throw agentNotFound()
  const { hire, agent, offered } = outcome
  deps.nudge(outcome.due)
  if (hire && agent) return { hire, agent, spent: 0n }
  if (offered.status !== 'active') {
    throw new Refusal('agent_not_active', `The agent is ${offered.status} and can't be hired.`)
  }
  const unsupported = input.layers?.filter((layer) => !offered.supportedLayers.includes(layer)) ?? []
  if (unsupported.length > 0) {
    throw new Refusal('layers_not_supported', `The agent does not support layer ${unsupported.join(', ')}.`, {
      errors: [{ path: 'layers', message: `must be among ${offered.supportedLayers.join(', ')}` }],
    })
  }
  throw new Refusal('already_hired', 'You have already hired this agent; end that hire first.')
}
