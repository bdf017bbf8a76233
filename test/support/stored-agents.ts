import type { AgentRow } from '../../lib/agents/column-queries.ts'
import { type HireOfAgent, hireAsStored } from '../../lib/agents/hiring/hire-list-queries.ts'
import { agentAsStored } from '../../lib/agents/queries.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { rowJson } from '../../lib/db/columns.ts'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { refuseAgent } from '../../lib/quotas/errors.ts'
import { agents } from '../../schema/tables/agents.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'

/* Agents and their hires past the API, by the functions that the use cases call. */

export const newWallet = () => createWallet().publicKey as Wallet

/** An address of its own, so that parallel calls do not wait for one another. */
const address = () => crypto.randomUUID()

type NewAgent = Omit<typeof agents.$inferInsert, 'status'> & { webhookSecret?: string }

/** Stores an active agent. @returns the endpoints to notify, too */
export async function insertAgent(
  db: Db,
  { registeredAt: now, webhookSecret, ...agent }: NewAgent,
): Promise<AgentRow & { toNotify: string[] }> {
  const read = agentAsStored.item({ id: agent.id })
  const [{ toNotify }, [stored]] = await postgres.registerAgent
    .callThenRead(
      db,
      { agent: rowJson(agents, agent), webhookSecret, addressHash: address(), agentsPerAddress: 1, now },
      read,
    )
    .catch(refuseAgent)
  if (!stored) throw new Error('the agent is not there')
  return { ...stored, toNotify }
}

/** Stores an active agent of the wallet. */
export const storeAgent = (
  db: Db,
  owner: Wallet,
  registeredAt: Date,
  changes: Partial<Pick<NewAgent, 'id' | 'webhookUrl' | 'webhookSecret'>> = {},
) =>
  insertAgent(db, {
    id: crypto.randomUUID(),
    pubkey: owner,
    name: 'Agent',
    agentType: 'oracle',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 1n,
    registeredAt,
    ...changes,
  })

/** Changes an agent: its columns by `details`. Whether it has no free slot is thrown, as an ApiError. */
export const updateAgent = (
  db: Db,
  {
    details,
    ...change
  }: {
    id: string
    wallet: Wallet
    isOperator: boolean
    details: Partial<AgentRow>
    status?: AgentStatus | undefined
    reason?: string | undefined
    ownerFrom: readonly AgentStatus[]
    operatorFrom: readonly AgentStatus[]
    now: Date
    changesHash?: string
    changesPerAddress?: number
  },
) =>
  postgres.changeAgent
    .call(db, {
      ...{ addressHash: address(), agentsPerAddress: 1, changesHash: address(), changesPerAddress: 1 },
      ...change,
      changesPerDay: 1_000_000,
      changes: rowJson(agents, details),
    })
    .catch(refuseAgent)

/** Ends a hire of the wallet: as it then is. */
export async function endHire(
  db: Db,
  hire: { id: string; wallet: Wallet; now: Date },
): Promise<(HireOfAgent & { toNotify: string[] }) | undefined> {
  const [{ spent, toNotify }, [ended]] = await postgres.endHire.callThenRead(
    db,
    hire,
    hireAsStored.item(hire),
  )
  return ended && { ...ended, spent, toNotify }
}

/** Records the ends and renewals of due hires: first of paid hires, then of the others. */
export async function recordDueHires(db: Db, now: Date, limit: number) {
  const paid = await postgres.recordDueHires.call(db, { now, paid: true, limit })
  const rest = limit - paid.expired - paid.renewed
  const others = await postgres.recordDueHires.call(db, { now, paid: false, limit: rest })
  return { expired: paid.expired + others.expired, renewed: paid.renewed + others.renewed }
}
