import type { GrantablePermission } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { mcpResource } from '../session/resource.ts'
import { issueAccessToken } from '../session/token.ts'
import { ACCESS_SECONDS } from './rules.ts'
import { permissionsOfScope } from './scopes.ts'
import { type SigningDeps, secondsOf } from './tokens.ts'

/** The state of a grant, of which access tokens are made. */
export type Granted = {
  id: string
  /** What access tokens name the client by. */
  client: string
  wallet: Wallet
  epoch: number
  permissions: readonly GrantablePermission[]
  expiresAt: Date
}

/** An access token, and a refresh token for a program that asked for access. */
export type Tokens = {
  accessToken: string
  expiresInSeconds: number
  refreshToken?: string | undefined
  permissions: GrantablePermission[]
}

/**
 * Makes an access token of a grant, for the MCP server. It never outlives the grant.
 * @param until when it expires
 * @param scope limits it to fewer permissions
 */
export async function issueAccess(
  { apiOrigin, now, signingKey }: SigningDeps,
  { id, client, wallet, epoch, expiresAt, ...grant }: Granted,
  until: Date = new Date(now.getTime() + ACCESS_SECONDS * 1000),
  scope?: string,
): Promise<Tokens> {
  const asked = scope === undefined ? grant.permissions : permissionsOfScope(scope)
  const permissions = grant.permissions.filter((each) => asked.includes(each))
  const end = until < expiresAt ? until : expiresAt
  const { token: accessToken } = await issueAccessToken(
    signingKey,
    {
      ...{ wallet, epoch, permissions, grant: id, clientId: client },
      audience: mcpResource(apiOrigin),
      expiresAt: end,
    },
    now,
  )
  return { accessToken, expiresInSeconds: secondsOf(end) - secondsOf(now), permissions }
}
