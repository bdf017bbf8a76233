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
import { countName } from '../quotas/queries.ts'

export type RegisteredAgentRow = typeof registryAgents.$inferSelect

/** The public columns of an entry. Lists and reads select only these. */
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

/** A public entry with the state of its endpoint. */
export type ReadRegisteredAgent = PublicEntry & { endpoint: AgentEndpointState | null }

/** The columns of a registration; the other columns depend on earlier ones or on operators. */
const {
  revision: _,
  registeredAt: __,
  status: ___,
  statusReason: ____,
  ...signedColumns
} = getTableColumns(registryAgents)

/** A registration with a verified signature. */
export type SignedRegistration = Omit<
  typeof registryAgents.$inferInsert,
  'revision' | 'registeredAt' | 'status' | 'statusReason'
>

/** Computes the hourly limit of changed keys from the limit of new keys; a Postgres integer. */
export const changesAllowed = (keys: number): number => Math.min(10 * keys, 2 ** 31 - 1)

/** The address counter and the hourly limit of new keys and new endpoints. */
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
    // A new endpoint is probed, so it counts like a new key.
    const isNamed = sql`exists (select from ${registryAgents} where ${eq(registryAgents.pubkey, $.pubkey)}
      and (${$.apiEndpoint} is null or ${registryAgents.apiEndpoint} = ${$.apiEndpoint}))`
    // Every change is copied to listings or indexed, so each one counts.
    const isStored = sql`exists (select from ${registryAgents} where ${eq(registryAgents.pubkey, $.pubkey)}
      and (${registryAgents.timestamp} >= ${$.timestamp} or ${registryAgents.status} = 'removed'))`
    const counted = countName(db, {
      addressHash: sql`case when ${isNamed} then ${changesHash} else ${addressHash} end`,
      limit: sql`case when ${isNamed} then ${changes} else ${limit} end`,
      endsAt,
      isNew: sql`not ${isStored}`,
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
      .where(or(isStored, hasRows(counted)))
    const isLater = sql`${registryAgents.timestamp} < excluded.${name(registryAgents.timestamp)}
      and ${registryAgents.status} <> 'removed'`
    // A CASE for each column instead of a WHERE, so that the row is always returned, as it is under the
    // lock. A SELECT next to the insert would read the row before a concurrent insert.
    const set = Object.fromEntries(
      Object.entries(replaced).map(([key, column]) => [
        key,
        sql`case when ${isLater} then excluded.${name(column)} else ${column} end`,
      ]),
    )
    return db
      .with(counted)
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
 * Stores a registration, or replaces the key's entry if that has an earlier timestamp. A used signature has
 * the same timestamp, so it changes nothing. A key that an operator has removed can't register. New keys and
 * changes count against the client address; a body sent several times at once may count several times.
 * @due looks a minute later, if it names an endpoint
 * @returns the key's row after the statement, to compare with the request; undefined above the limit of the
 *   address
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

/** Finds an entry, with the text of the agent card that its own host serves, if any. */
export async function findEntryWithCard(
  db: Db,
  pubkey: Wallet,
): Promise<(PublicEntry & { ownCard: string | null }) | undefined> {
  const [row] = await entryWithCard.run(db, { pubkey })
  return row
}
