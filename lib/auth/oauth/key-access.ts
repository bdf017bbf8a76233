import type { InferOutput } from 'valibot'
import type { TokenRequest } from '../../../schema/wire/oauth/tokens.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { DAY_MS } from '../../time.ts'
import { useKey } from '../grants/queries.ts'
import { GRANT_UNUSED_MS } from '../grants/rules.ts'
import { issueAccess, type Tokens } from './access.ts'
import { assertionRefused, readAssertion } from './assertion.ts'
import type { SigningDeps } from './tokens.ts'

export type KeyAccessDeps = SigningDeps & {
  db: Db
  /**
   * Counts an assertion by address, like a login: each one stores a nonce.
   * @throws ApiError rate_limited
   */
  countAssertion: () => Promise<void>
}

/**
 * Exchanges the assertion of an agent's key for an access token, by one statement, which spends it. A forged
 * one costs no statement. There is no refresh token: the agent signs another assertion.
 * @throws ApiError invalid_client, with the same text for every failed check of the assertion
 * @throws ApiError invalid_grant, rate_limited
 */
export async function accessForKey(
  deps: KeyAccessDeps,
  request: InferOutput<typeof TokenRequest>,
): Promise<Tokens> {
  await deps.countAssertion()
  const assertion = await readAssertion(deps, request)
  if (!assertion) throw assertionRefused()
  const { grant: id, key: publicKey, nonce, nonceExpiresAt } = assertion
  const used = await useKey(deps.db, { id, publicKey, nonce, nonceExpiresAt, now: deps.now })
  if (used === 'nonce_spent') throw assertionRefused()
  if (used === 'grant_ended')
    throw new ApiError(
      'invalid_grant',
      `The key’s access has ended, expired, or was unused for ${GRANT_UNUSED_MS / DAY_MS} days. Have the wallet allow it again.`,
    )
  return issueAccess(deps, { ...used, id, client: `key:${publicKey}` }, undefined, request.scope)
}
