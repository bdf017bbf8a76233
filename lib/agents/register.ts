import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { AgentRegister } from '../../schema/wire/agents.ts'
import type { Db } from '../db/connect.ts'
import { type AgentRow, insertAgent } from './queries.ts'

/** Offers a new agent, owned by the wallet and active at once. Names need not differ. */
export const registerAgent = (
  deps: { db: Db; now: Date },
  wallet: Wallet,
  input: InferOutput<typeof AgentRegister>,
): Promise<AgentRow> =>
  insertAgent(deps.db, {
    ...input,
    id: uuidv7({ msecs: deps.now.getTime() }),
    pubkey: wallet,
    status: 'active',
    registeredAt: deps.now,
  })
