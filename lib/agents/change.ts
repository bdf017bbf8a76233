import type { InferOutput } from 'valibot'
import type { AgentPatch } from '../../schema/wire/agents.ts'
import { ApiError } from '../api-error.ts'
import type { Session } from '../auth/session/token.ts'
import * as postgres from '../db/functions.ts'
import { requireForeignHost } from '../events/endpoints/errors.ts'
import { trySecret } from '../events/secrets/try-secret.ts'
import { firstProbeAt } from '../liveness/first-probe.ts'
import { addressHash } from '../quotas/address.ts'
import { changedTooOften, refuseAgent, tooManyAgents, usedUp } from '../quotas/errors.ts'
import type { AgentRow } from './column-queries.ts'
import type { AgentDeps } from './deps.ts'
import { agentNotFound } from './errors.ts'
import { agentAsStored, agentJson } from './queries.ts'
import { CHANGES_PER_DAY, statusesAllowing } from './rules.ts'

/**
 * Changes an agent's status, price, description or URLs, for its owner (agents:register). An operator
 * (agents:moderate) can only suspend it and lift the suspension. Existing hires keep their price.
 * @returns the agent, and the secret of its first webhook, which is never shown again
 * @throws ApiError agent_not_found (also for another wallet's agent), permission_missing, agent_suspended,
 *   quota_exceeded, rate_limited
 * @throws ApiError invalid_request for a webhook on the service's own host
 */
export async function changeAgent(
  deps: AgentDeps,
  session: Session,
  input: { id: string; patch: InferOutput<typeof AgentPatch>; address: string },
): Promise<{ agent: AgentRow; webhookSecret?: string | undefined }> {
  const { status, reason, ...details } = input.patch
  const isOperator = session.permissions.includes('agents:moderate')
  const actsAsOwner = session.permissions.includes('agents:register')
  if (status === 'suspended' && !isOperator) throw ownersOnly()
  requireForeignHost(details.webhookUrl, deps.apiHost)
  const touchesDetails = Object.keys(details).length > 0
  const { db, now, notify, schedule, agentsPerAddress, changesPerAddress } = deps
  const made = details.webhookUrl ? await trySecret(deps.secrets, input.id) : undefined
  const [{ outcome, statusBefore, isSecretNew, isCatalogChanged, toNotify }, [agent]] =
    await postgres.changeAgent
      .callThenRead(
        db,
        {
          id: input.id,
          wallet: session.wallet,
          isOperator,
          changes: agentJson(details),
          webhookSecret: made?.encrypted,
          status,
          reason,
          ownerFrom: actsAsOwner ? statusesAllowing('owner', status) : [],
          operatorFrom: isOperator && !touchesDetails ? statusesAllowing('operator', status) : [],
          changesPerDay: CHANGES_PER_DAY,
          addressHash: await addressHash('agents', input.address),
          agentsPerAddress,
          changesHash: await addressHash('status changes', input.address),
          changesPerAddress,
          now,
        },
        agentAsStored.item({ id: input.id }),
      )
      .catch(refuseAgent)
  switch (outcome) {
    case 'agent_not_found':
      throw agentNotFound()
    case 'not_allowed':
      if (statusBefore !== 'suspended' || isOperator) throw ownersOnly()
      throw new ApiError(
        'agent_suspended',
        'An operator has suspended this agent. Only an operator can lift the suspension.',
      )
    case 'too_many_changes':
      throw usedUp('changes of an agent by its owner', {
        policy: 'status-changes',
        limit: CHANGES_PER_DAY,
        per: 'day',
        now,
      })
    case 'address_changes_too_often':
      throw changedTooOften(changesPerAddress, now)
    case 'too_many_agents':
      throw tooManyAgents(agentsPerAddress, now)
    case 'changed': {
      if (!agent) throw new Error('the changed agent is missing')
      // Deliveries may be waiting for a new webhook.
      notify(details.webhookUrl ? [...toNotify, agent.id] : toNotify)
      // A removed endpoint makes room for another one of the wallet, which is then probed for the first time.
      if (status !== undefined || 'apiEndpoint' in details || 'apiProtocol' in details)
        schedule('looks', firstProbeAt(now))
      if (isCatalogChanged) schedule('catalog', firstProbeAt(now))
      return { agent, webhookSecret: isSecretNew ? made?.secret : undefined }
    }
  }
}

const ownersOnly = () =>
  new ApiError(
    'permission_missing',
    'An owner may make the agent active or inactive and change its price, description and endpoints; an operator may suspend it, and lift the suspension by setting it to inactive.',
  )
