import { eq, getTableColumns, or, sql } from 'drizzle-orm'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hasRows, name, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import {
  type AgentEndpointState,
  agentEndpointState,
  agentEndpoints,
  isAgentEndpointOf,
  ownCardOf,
} from '../liveness/queries.ts'
import { takeNameSlot } from '../quotas/queries.ts'

export type RegisteredAgentRow = typeof registryAgents.$inferSelect

/** What anybody may see of an entry: every list and read selects this, and may read no more. */
export const publicEntry = {
  pubkey: registryAgents.pubkey,
  name: registryAgents.name,
  agentType: registryAgents.agentType,
  capabilities: registryAgents.capabilities,
  layers: registryAgents.layers,
  feeModel: registryAgents.feeModel,
  feeAmount: registryAgents.feeAmount,
  description: registryAgents.description,
  website: registryAgents.website,
  logoUrl: registryAgents.logoUrl,
  apiEndpoint: registryAgents.apiEndpoint,
  apiProtocol: registryAgents.apiProtocol,
  developerPubkey: registryAgents.developerPubkey,
  serviceManifest: registryAgents.serviceManifest,
  timestamp: registryAgents.timestamp,
  revision: registryAgents.revision,
  registeredAt: registryAgents.registeredAt,
  updatedAt: registryAgents.updatedAt,
  status: registryAgents.status,
  statusReason: registryAgents.statusReason,
}

export type PublicEntry = Pick<RegisteredAgentRow, keyof typeof publicEntry>

/** An entry as lists and reads of one have it: with its endpoint's state. */
export type ReadRegisteredAgent = PublicEntry & { endpoint: AgentEndpointState | null }

/** What a registration says; the rest of a row follows from those before it, or is an operator's. */
const {
  revision: _,
  registeredAt: __,
  status: ___,
  statusReason: ____,
  ...signedColumns
} = getTableColumns(registryAgents)

/** A registration whose signature has been checked. */
export type SignedRegistration = Omit<
  typeof registryAgents.$inferInsert,
  'revision' | 'registeredAt' | 'status' | 'statusReason'
>

/** How many changes of known keys an hour allows where it allows so many new ones; an integer of Postgres. */
export const changesAllowed = (keys: number): number => Math.min(10 * keys, 2 ** 31 - 1)

/** On which address a new key, or a new endpoint of a key, is counted, and how many an hour allows. */
type NameQuota = { addressHash: string; endsAt: Date; limit: number }

const registrationUpsert = statement(
  {
    ...signedColumns,
    ...{
      addressHash: 'text',
      changesHash: 'text',
      endsAt: 'timestamptz',
      limit: 'integer',
      changes: 'integer',
    },
  },
  (db, { addressHash, changesHash, endsAt, limit, changes, ...$ }) => {
    const { pubkey: _, ...replaced } = signedColumns
    // A new endpoint is looked at as that of a new key is: it is counted, too.
    const isNamed = sql`exists (select from ${registryAgents} where ${eq(registryAgents.pubkey, $.pubkey)}
      and (${$.apiEndpoint} is null or ${registryAgents.apiEndpoint} = ${$.apiEndpoint}))`
    // Everything of an entry is copied to lists or indexed, so each change is counted.
    const isKept = sql`exists (select from ${registryAgents} where ${eq(registryAgents.pubkey, $.pubkey)}
      and (${registryAgents.timestamp} >= ${$.timestamp} or ${registryAgents.status} = 'removed'))`
    const slot = takeNameSlot(db, {
      addressHash: sql`case when ${isNamed} then ${changesHash} else ${addressHash} end`,
      limit: sql`case when ${isNamed} then ${changes} else ${limit} end`,
      endsAt,
      isNew: sql`not ${isKept}`,
    })
    const allowed = db
      .select(
        rowFields(registryAgents, {
          ...$,
          revision: sql`1`,
          registeredAt: $.updatedAt,
          status: sql`'active'`,
          statusReason: sql`null`,
        }),
      )
      .from(sql`(select) as once`)
      .where(or(isKept, hasRows(slot)))
    const isLater = sql`${registryAgents.timestamp} < excluded.${name(registryAgents.timestamp)}
      and ${registryAgents.status} <> 'removed'`
    // A CASE for each column instead of a WHERE: the row is returned whether or not this call may change it,
    // and as it stands under the lock, where a SELECT beside the insert would read the row before a parallel
    // insert.
    const set = Object.fromEntries(
      Object.entries(replaced).map(([key, column]) => [
        key,
        sql`case when ${isLater} then excluded.${name(column)} else ${column} end`,
      ]),
    )
    return db
      .with(slot)
      .insert(registryAgents)
      .select(allowed)
      .onConflictDoUpdate({
        target: registryAgents.pubkey,
        set: { ...set, revision: sql`${registryAgents.revision} + case when ${isLater} then 1 else 0 end` },
      })
      .returning()
  },
)

/**
 * Stores a registration if its key has none, or replaces the one it has if that was signed for an earlier
 * time. A signature is for one key and one time, so a used signature changes nothing; nor does any of a key
 * that an operator has removed. A new key is counted on its address, and so is each change of a known one: a
 * body that is sent several times at once, perhaps several times.
 * @due looks a minute later, if it names an endpoint
 * @returns the key's row as it then is, which the caller compares with the request; undefined when the
 *   address has registered or changed as many keys as it may
 */
export async function upsertRegistration(
  db: Db,
  registration: SignedRegistration,
  quota: NameQuota,
): Promise<RegisteredAgentRow | undefined> {
  const [row] = await registrationUpsert.run(db, {
    ...registration,
    ...quota,
    changesHash: `${quota.addressHash} changes`,
    changes: changesAllowed(quota.limit),
  })
  return row
}

const registeredAgent = read({ pubkey: registryAgents.pubkey }, (db, $) =>
  db
    .select({ ...publicEntry, endpoint: agentEndpointState })
    .from(registryAgents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(registryAgents))
    .where(eq(registryAgents.pubkey, $.pubkey)),
)

export async function findRegisteredAgent(db: Db, pubkey: Wallet): Promise<ReadRegisteredAgent | undefined> {
  const [row] = await registeredAgent.run(db, { pubkey })
  return row
}

const entryWithCard = read({ pubkey: registryAgents.pubkey }, (db, $) =>
  db
    .select({ ...publicEntry, ownCard: ownCardOf(registryAgents).as('own_card') })
    .from(registryAgents)
    .where(eq(registryAgents.pubkey, $.pubkey)),
)

/** Finds an entry with the text of its host's own agent card, if that serves one. */
export async function findEntryWithCard(
  db: Db,
  pubkey: Wallet,
): Promise<(PublicEntry & { ownCard: string | null }) | undefined> {
  const [row] = await entryWithCard.run(db, { pubkey })
  return row
}
