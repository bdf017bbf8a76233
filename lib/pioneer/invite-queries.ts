import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { inviteCodes, pioneers } from '../../schema/tables/pioneers.ts'
import type { PioneerTier } from '../../schema/values.ts'
import { names } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'

export type InviteRow = typeof inviteCodes.$inferSelect

/** Codes to issue together. */
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
 * Stores issued codes. It skips an existing hash: a random code has one with a chance of 1 in 2^40.
 * @returns the stored hashes
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

/** Selects every issued code, oldest first; for a used one also the code and the wallet. */
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
 * Revokes a code that is neither used nor revoked. The row's lock decides between a use and a revocation.
 * @returns the code afterwards; undefined if it is unknown
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
