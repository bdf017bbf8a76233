import type { Db } from '../db/connect.ts'
import { codeHash } from './code-hash.ts'
import { type InviteRow, revokeInvite } from './invite-queries.ts'
import { canonicalCode } from './rules.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Revokes an invite code, given as itself or by its id. One that is used stays so.
 * @returns the code's row afterwards, undefined when there is none
 */
export async function revoke(deps: { db: Db; now: Date }, codeOrId: string): Promise<InviteRow | undefined> {
  if (UUID.test(codeOrId)) return revokeInvite(deps.db, { id: codeOrId }, deps.now)
  const code = canonicalCode(codeOrId)
  return code === undefined ? undefined : revokeInvite(deps.db, { codeHash: await codeHash(code) }, deps.now)
}
