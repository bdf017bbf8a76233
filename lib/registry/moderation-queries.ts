import { and, eq, ne, sql } from 'drizzle-orm'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { RegisteredAgentRow } from './queries.ts'

const { pubkey, status, statusReason } = registryAgents

const entryUpdate = statement({ pubkey, status, reason: statusReason }, (db, $) =>
  db
    .update(registryAgents)
    .set({ status: $.status, statusReason: $.reason })
    .where(and(eq(pubkey, $.pubkey), ne(status, 'removed')))
    .returning(),
)

/**
 * Hides an entry from the lists or shows it again.
 * @due looks a minute later, if it names an endpoint
 */
export async function updateEntry(
  db: Db,
  change: { pubkey: Wallet; status: 'active' | 'suspended'; reason?: string | undefined },
): Promise<RegisteredAgentRow | undefined> {
  const [row] = await entryUpdate.run(db, change)
  return row
}

const entryRemoval = statement({ pubkey }, (db, $) =>
  db
    .update(registryAgents)
    .set({
      status: 'removed',
      statusReason: null,
      name: '',
      feeAmount: null,
      description: null,
      website: null,
      logoUrl: null,
      apiEndpoint: null,
      apiProtocol: null,
      developerPubkey: null,
      contactEmail: null,
      serviceManifest: sql`null`,
    })
    .where(and(eq(pubkey, $.pubkey), ne(status, 'removed')))
    .returning({ pubkey }),
)

/**
 * Removes an entry: deletes all that its operator wrote, and bars the key in the same row. A concurrent
 * registration waits for the row and finds the key barred.
 * @returns whether there was an entry
 */
export async function removeEntry(db: Db, pubkey: Wallet): Promise<boolean> {
  const rows = await entryRemoval.run(db, { pubkey })
  return rows.length > 0
}
