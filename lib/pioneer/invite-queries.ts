import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { inviteCodes, pioneers } from '../../schema/tables/pioneers.ts'
import type { PioneerTier } from '../../schema/values.ts'
import { names } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'

export type InviteRow = typeof inviteCodes.$inferSelect

/** Codes that are issued together. */
type NewInvites = {
  codes: { id: string; codeHash: string }[]
  tier: PioneerTier
  issuedAt: Date
  expiresAt?: Date | undefined
}

const invitesInsert = statement(
  {
    ids: 'uuid[]',
    codeHashes: 'text[]',
    tier: inviteCodes.tier,
    issuedAt: inviteCodes.issuedAt,
    expiresAt: inviteCodes.expiresAt,
  },
  (db, $) => {
    const { id, codeHash } = inviteCodes
    const issued = db.$with('issued', { id, codeHash }).as(sql`
      select * from unnest(${$.ids}, ${$.codeHashes}) as each (${names(id, codeHash)})`)
    return db
      .with(issued)
      .insert(inviteCodes)
      .select(
        db
          .select({
            id: issued.id,
            codeHash: issued.codeHash,
            tier: $.tier.as('tier'),
            issuedAt: $.issuedAt.as('issued_at'),
            expiresAt: $.expiresAt.as('expires_at'),
            usedAt: sql<null>`null::timestamptz`.as('used_at'),
            revokedAt: sql<null>`null::timestamptz`.as('revoked_at'),
          })
          .from(issued),
      )
      .onConflictDoNothing()
      .returning({ codeHash })
  },
)

/**
 * Stores issued codes. A hash that is there already is left out: by chance one in 2^40 is.
 * @returns the hashes that were stored
 */
export async function insertInvites(db: Db, { codes, ...shared }: NewInvites): Promise<string[]> {
  const rows = await invitesInsert.run(db, {
    ids: codes.map(({ id }) => id),
    codeHashes: codes.map(({ codeHash }) => codeHash),
    ...shared,
  })
  return rows.map((row) => row.codeHash)
}

const allInvites = read({}, (db) =>
  db
    .select({ ...getTableColumns(inviteCodes), code: pioneers.inviteCode, usedBy: pioneers.wallet })
    .from(inviteCodes)
    .leftJoin(pioneers, eq(pioneers.inviteId, inviteCodes.id))
    .orderBy(asc(inviteCodes.id)),
)

/** Selects every code ever issued, oldest first; of a used one also the code and who used it. */
export const selectInvites = (db: Db) => allInvites.run(db, {})

const inviteCount = read({}, (db) => db.select({ invites: count() }).from(inviteCodes))

export async function countInvites(db: Db): Promise<number> {
  const [row] = await inviteCount.run(db, {})
  return row?.invites ?? 0
}

const inviteRevocation = statement(
  { id: 'uuid?', codeHash: 'text?', now: 'timestamptz' },
  (db, $, { by }: { by: 'id' | 'codeHash' }) =>
    db
      .update(inviteCodes)
      .set({
        revokedAt: sql`case when ${inviteCodes.usedAt} is null
          then coalesce(${inviteCodes.revokedAt}, ${$.now}) else ${inviteCodes.revokedAt} end`,
      })
      .where(eq(inviteCodes[by], $[by]))
      .returning(),
)

/**
 * Revokes a code that is neither used nor revoked; the row's lock decides against a use at the same time.
 * @returns the code as it then is, undefined when it is unknown
 */
export async function revokeInvite(
  db: Db,
  which: { id: string } | { codeHash: string },
  now: Date,
): Promise<InviteRow | undefined> {
  const by = 'id' in which ? 'id' : 'codeHash'
  const [row] = await inviteRevocation.run(db, { ...which, now }, { by })
  return row
}
