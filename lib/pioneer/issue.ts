import { v7 as uuidv7 } from 'uuid'
import type { PioneerTier } from '../../schema/values.ts'
import type { Db } from '../db/connect.ts'
import { codeHash } from './code-hash.ts'
import { type InviteRow, insertInvites, revokeInvite } from './invite-queries.ts'
import { CODE_BYTES, canonicalCode, codeFromBytes } from './rules.ts'

/** The most codes in one statement. */
const MAX_PER_STATEMENT = 1000

/**
 * Issues invite codes. Only this call returns them, since the database stores their hashes.
 * @param input.expiresAt they can't be redeemed from then on; by default they never expire
 */
export async function issueInvites(
  deps: { db: Db; now: Date },
  input: { count: number; tier: PioneerTier; expiresAt?: Date | undefined },
): Promise<string[]> {
  const codes: string[] = []
  while (codes.length < input.count) {
    codes.push(
      ...(await issueSome(deps, {
        ...input,
        count: Math.min(MAX_PER_STATEMENT, input.count - codes.length),
      })),
    )
  }
  return codes
}

/** Makes and stores random codes: fewer than requested if one of them exists already. */
async function issueSome(
  { db, now }: { db: Db; now: Date },
  { count, tier, expiresAt }: { count: number; tier: PioneerTier; expiresAt?: Date | undefined },
): Promise<string[]> {
  const drawn = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const code = codeFromBytes(crypto.getRandomValues(new Uint8Array(CODE_BYTES)))
    drawn.set(await codeHash(code), code)
  }
  const codes = [...drawn.keys()].map((hash) => ({ id: uuidv7({ msecs: now.getTime() }), codeHash: hash }))
  const stored = await insertInvites(db, { codes, tier, issuedAt: now, expiresAt })
  return stored.flatMap((hash) => drawn.get(hash) ?? [])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Revokes an invite code, given as itself or by its id. A used code stays used.
 * @returns the code's row afterwards; undefined if the code is unknown
 */
export async function revoke(deps: { db: Db; now: Date }, codeOrId: string): Promise<InviteRow | undefined> {
  if (UUID.test(codeOrId)) return revokeInvite(deps.db, { id: codeOrId }, deps.now)
  const code = canonicalCode(codeOrId)
  return code === undefined ? undefined : revokeInvite(deps.db, { codeHash: await codeHash(code) }, deps.now)
}
