import { and, arrayContains, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Capability, RegistryAgentType } from '../../schema/registry.ts'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import type { Place } from './cursor.ts'

export type RegisteredAgentRow = typeof registryAgents.$inferSelect

/** A registration whose signature has been checked. */
export type SignedRegistration = Omit<typeof registryAgents.$inferInsert, 'revision' | 'registeredAt'>

/**
 * Stores a registration if its key has none, or replaces the one it has if that was signed for an earlier time.
 * A signature is for one key and one time, so nothing that a used signature could do again gets past this.
 * @returns the key's row as it then is, which the caller holds against what was sent
 */
export async function upsertRegistration(
  db: Db,
  registration: SignedRegistration,
): Promise<RegisteredAgentRow> {
  const { pubkey: _, registeredAt: __, revision: ___, ...replaced } = getTableColumns(registryAgents)
  const isLater = sql`${registryAgents.timestamp} < excluded.timestamp`
  // A CASE for each column instead of a WHERE: the row is returned whether or not this call may change it, and as
  // it stands under the lock, where a SELECT beside the insert would read what was before a parallel one.
  const set = Object.fromEntries(
    Object.entries(replaced).map(([key, column]) => [
      key,
      sql`case when ${isLater} then excluded.${sql.identifier(column.name)} else ${column} end`,
    ]),
  )
  const [row] = await db
    .insert(registryAgents)
    .values({ ...registration, revision: 1, registeredAt: registration.updatedAt })
    .onConflictDoUpdate({
      target: registryAgents.pubkey,
      set: { ...set, revision: sql`${registryAgents.revision} + case when ${isLater} then 1 else 0 end` },
    })
    .returning()
  if (!row) throw new Error('an upsert returned no row')
  return row
}

export async function findRegisteredAgent(db: Db, pubkey: Wallet): Promise<RegisteredAgentRow | undefined> {
  const [row] = await db.select().from(registryAgents).where(eq(registryAgents.pubkey, pubkey))
  return row
}

/** What GET /registry/agents can ask for. */
export type RegistryFilter = {
  agentType?: RegistryAgentType | undefined
  capability?: Capability | undefined
  layer?: number | undefined
}

/** Up to `limit` agents after a place, the latest registered key first. */
export const selectRegisteredAgents = (
  db: Db,
  filter: RegistryFilter,
  after: Place | undefined,
  limit: number,
): Promise<RegisteredAgentRow[]> =>
  db
    .select()
    .from(registryAgents)
    .where(
      and(
        filter.agentType === undefined ? undefined : eq(registryAgents.agentType, filter.agentType),
        filter.capability === undefined
          ? undefined
          : arrayContains(registryAgents.capabilities, [filter.capability]),
        filter.layer === undefined ? undefined : arrayContains(registryAgents.layers, [filter.layer]),
        after === undefined
          ? undefined
          : sql`(${registryAgents.registeredAt}, ${registryAgents.pubkey}) < (${after.registeredAt.toISOString()}::timestamptz, ${after.pubkey}::text)`,
      ),
    )
    .orderBy(desc(registryAgents.registeredAt), desc(registryAgents.pubkey))
    .limit(limit)
