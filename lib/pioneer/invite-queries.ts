import { asc, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { inviteCodes, pioneers } from '../../schema/tables/pioneers.ts'
import type { Db } from '../db/connect.ts'

export type InviteRow = typeof inviteCodes.$inferSelect

/**
 * Stores issued codes. A hash that is there already is left out: by chance one in 2^40 is.
 * @returns the hashes that were stored
 */
export async function insertInvites(
  db: Db,
  invites: [typeof inviteCodes.$inferInsert, ...(typeof inviteCodes.$inferInsert)[]],
): Promise<string[]> {
  const rows = await db
    .insert(inviteCodes)
    .values(invites)
    .onConflictDoNothing()
    .returning({ codeHash: inviteCodes.codeHash })
  return rows.map((row) => row.codeHash)
}

/** Every code ever issued, oldest first; of a used one also the code and who used it. */
export const selectInvites = (db: Db) =>
  db
    .select({ ...getTableColumns(inviteCodes), code: pioneers.inviteCode, usedBy: pioneers.wallet })
    .from(inviteCodes)
    .leftJoin(pioneers, eq(pioneers.inviteId, inviteCodes.id))
    .orderBy(asc(inviteCodes.id))

export async function countInvites(db: Db): Promise<number> {
  const [row] = await db.select({ invites: count() }).from(inviteCodes)
  return row?.invites ?? 0
}

/**
 * Revokes a code that is neither used nor revoked; the row's lock decides against a claim at the same time.
 * @returns the code as it then is, undefined when it is unknown
 */
export async function revokeInvite(
  db: Db,
  which: { id: string } | { codeHash: string },
  now: Date,
): Promise<InviteRow | undefined> {
  const isIt: SQL = 'id' in which ? eq(inviteCodes.id, which.id) : eq(inviteCodes.codeHash, which.codeHash)
  const [row] = await db
    .update(inviteCodes)
    .set({
      revokedAt: sql`case when ${inviteCodes.usedAt} is null
        then coalesce(${inviteCodes.revokedAt}, ${now.toISOString()}::timestamptz) else ${inviteCodes.revokedAt} end`,
    })
    .where(isIt)
    .returning()
  return row
}
