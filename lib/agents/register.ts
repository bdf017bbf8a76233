import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { AgentRegister } from '../../schema/wire/agents.ts'
import * as postgres from '../db/functions.ts'
import { requireForeignHost } from '../events/endpoints/errors.ts'
import { trySecret } from '../events/secrets/try-secret.ts'
import { firstProbeAt } from '../liveness/first-probe.ts'
import { addressHash } from '../quotas/address.ts'
import { refuseAgent, tooManyAgents } from '../quotas/errors.ts'
import type { AgentRow } from './column-queries.ts'
import type { AgentDeps } from './deps.ts'
import { agentAsStored, agentJson } from './queries.ts'

/**
 * Registers an agent, owned by the wallet and active at once. Names need not be unique.
 * @param address the client address, against which the agent counts
 * @returns the agent, and the secret of its webhook, which is never shown again
 * @throws ApiError quota_exceeded, rate_limited
 * @throws ApiError invalid_request for a webhook on the service's own host
 */
export async function registerAgent(
  deps: Omit<AgentDeps, 'changesPerAddress'>,
  wallet: Wallet,
  input: InferOutput<typeof AgentRegister>,
  address: string,
): Promise<{ agent: AgentRow; webhookSecret?: string | undefined }> {
  requireForeignHost(input.webhookUrl, deps.apiHost)
  const { db, now, notify, schedule, agentsPerAddress } = deps
  const id = uuidv7({ msecs: now.getTime() })
  const made = input.webhookUrl ? await trySecret(deps.secrets, id) : undefined
  const row = agentJson({ ...input, id, pubkey: wallet })
  const counted = { addressHash: await addressHash('agents', address), agentsPerAddress }
  const [{ outcome, toNotify }, [agent]] = await postgres.registerAgent
    .callThenRead(
      db,
      { agent: row, webhookSecret: made?.encrypted, ...counted, now },
      agentAsStored.item({ id }),
    )
    .catch(refuseAgent)
  if (outcome === 'too_many_agents') throw tooManyAgents(agentsPerAddress, now)
  if (!agent) throw new Error('the stored agent is missing')
  notify(toNotify)
  if (agent.apiEndpoint !== null && agent.apiProtocol !== null) schedule('looks', firstProbeAt(now))
  return { agent, webhookSecret: made?.secret }
}
