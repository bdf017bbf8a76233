import { insertAgent } from '../../lib/agents/queries.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import type { Wallet } from '../../schema/wallet.ts'

export const newWallet = () => createWallet().publicKey as Wallet

/** Stores an active agent of the wallet, past the API. */
export const storeAgent = (db: Db, owner: Wallet, registeredAt: Date) =>
  insertAgent(db, {
    id: crypto.randomUUID(),
    pubkey: owner,
    name: 'Agent',
    agentType: 'oracle',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 1n,
    status: 'active',
    registeredAt,
  })
