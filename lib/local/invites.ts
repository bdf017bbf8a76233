import { countInvites, type InviteRow, insertInvites, selectInvites } from '../pioneer/invite-queries.ts'
import { issueInvites } from '../pioneer/issue.ts'
import { connectThrough } from './neon/server.ts'

/** An invite code in the database: its hash. */
export type Invite = Pick<InviteRow, 'id' | 'codeHash' | 'tier' | 'issuedAt' | 'expiresAt'>

/** Returns the invite codes of a database that can be redeemed. */
export async function readInvites(neonUrl: string): Promise<Invite[]> {
  const invites = await selectInvites(connectThrough(neonUrl))
  return invites.filter(({ usedAt, revokedAt }) => usedAt === null && revokedAt === null)
}

/**
 * Issues three invite codes if the database has had none.
 * @param copies codes of a former database, which it stores instead
 * @returns the new codes
 */
export async function firstInvites(
  neonUrl: string,
  now: Date,
  copies?: readonly Invite[],
): Promise<string[]> {
  const db = connectThrough(neonUrl)
  if ((await countInvites(db)) > 0) return []
  if (copies === undefined) return issueInvites({ db, now }, { count: 3, tier: 'founding' })
  for (const { id, codeHash, tier, issuedAt, expiresAt } of copies)
    await insertInvites(db, { codes: [{ id, codeHash }], tier, issuedAt, expiresAt: expiresAt ?? undefined })
  return []
}
