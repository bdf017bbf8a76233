import type { InferOutput } from 'valibot'
import type { AgentPatch } from '../../schema/wire/agents.ts'
import type { Session } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { requireForeignHost } from '../events/endpoints/refusals.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import { noPlaceForAgent } from '../quotas/refusals.ts'
import { Refusal } from '../refusal.ts'
import { updateAgent } from './change-queries.ts'
import type { AgentRow } from './queries.ts'
import { agentNotFound } from './refusals.ts'
import { statusesAllowing } from './rules.ts'

/**
 * Changes an agent's status, description or endpoints: the owner's right (agents:register); an operator's
 * (agents:moderate) only to suspend it and to lift that.
 * @throws Refusal agent_not_found for a stranger's agent too, permission_missing, agent_suspended,
 *   quota_exceeded, invalid_request for a webhook on our own host
 */
export async function changeAgent(
  deps: { db: Db; now: Date; nudge: Nudge; apiHost: string },
  session: Session,
  input: { id: string; patch: InferOutput<typeof AgentPatch> },
): Promise<AgentRow> {
  const { status, reason, ...details } = input.patch
  const isOperator = session.permissions.includes('agents:moderate')
  const actsAsOwner = session.permissions.includes('agents:register')
  if (status === 'suspended' && !isOperator) throw ownersOnly()
  requireForeignHost(details.webhookUrl, deps.apiHost)
  const touchesDetails = Object.keys(details).length > 0
  const outcome = await updateAgent(deps.db, {
    id: input.id,
    wallet: session.wallet,
    isOperator,
    details,
    status,
    reason,
    ownerFrom: actsAsOwner ? statusesAllowing('owner', status) : [],
    operatorFrom: isOperator && !touchesDetails ? statusesAllowing('operator', status) : [],
    now: deps.now,
  })
  if (!outcome) throw agentNotFound()
  if (outcome.changed) {
    // A webhook that is set may have been waited for.
    const awaited = details.webhookUrl ? [outcome.changed.id] : []
    deps.nudge([...new Set([...outcome.due, ...awaited])])
    return outcome.changed
  }
  if (outcome.isFull) throw noPlaceForAgent()
  if (outcome.current !== 'suspended' || isOperator) throw ownersOnly()
  throw new Refusal(
    'agent_suspended',
    'An operator has suspended this agent; only an operator can lift that.',
  )
}

const ownersOnly = () =>
  new Refusal(
    'permission_missing',
    'An owner may make the agent active or inactive and change its description and endpoints; an operator may suspend it and lift the suspension to inactive.',
  )
