import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { AgentRegister } from '../../schema/wire/agents.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import { requireForeignHost } from '../events/endpoints/refusals.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import { refuseAgent } from '../quotas/refusals.ts'
import { type AgentRow, agentAsStored, agentJson } from './queries.ts'

/**
 * Offers a new agent, owned by the wallet and active at once. Names need not differ.
 * @throws Refusal invalid_request for a webhook on our own host, quota_exceeded
 */
export async function registerAgent(
  deps: { db: Db; now: Date; nudge: Nudge; apiHost: string },
  wallet: Wallet,
  input: InferOutput<typeof AgentRegister>,
): Promise<AgentRow> {
  requireForeignHost(input.webhookUrl, deps.apiHost)
  const { db, now, nudge } = deps
  const id = uuidv7({ msecs: now.getTime() })
  const row = agentJson({ ...input, id, pubkey: wallet })
  const [{ nudges }, [agent]] = await postgres.registerAgent
    .callThenRead(db, { agent: row, now }, agentAsStored.item({ id }))
    .catch(refuseAgent)
  if (!agent) throw new Error('an agent that was stored is not there')
  nudge(nudges)
  return agent
}
