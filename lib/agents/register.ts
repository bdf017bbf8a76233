import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { AgentRegister } from '../../schema/wire/agents.ts'
import type { Db } from '../db/connect.ts'
import { requireForeignHost } from '../events/endpoints/refusals.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import { type AgentRow, insertAgent } from './queries.ts'

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
  const { due, ...agent } = await insertAgent(deps.db, {
    ...input,
    id: uuidv7({ msecs: deps.now.getTime() }),
    pubkey: wallet,
    status: 'active',
    registeredAt: deps.now,
    webhookSetAt: input.webhookUrl === undefined ? null : deps.now,
  })
  deps.nudge(due)
  return agent
}
