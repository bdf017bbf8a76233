import { base64urlnopad } from '@scure/base'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { TokenRequest } from '../../../schema/wire/oauth/tokens.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { equalBytes, utf8 } from '../../keys/bytes.ts'
import { redeemCode, refreshGrant } from '../grants/queries.ts'
import { isMcpResource } from '../session/resource.ts'
import { type Granted, issueAccess, type Tokens } from './access.ts'
import { clientKeyOf, isKnownClient, unknownClient } from './client.ts'
import type { CodeClaims } from './consent.ts'
import { accessForKey, type KeyAccessDeps } from './key-access.ts'
import { REFRESH_SECONDS } from './rules.ts'
import { readToken, type SigningDeps, secondsOf, signToken } from './tokens.ts'

export type ExchangeDeps = SigningDeps & {
  db: Db
  notify: Notify
  /**
   * Counts a call: by the grant of its code or token once that is proven, else by address.
   * @throws ApiError rate_limited
   */
  countCall: (by: { grant?: string }) => Promise<void>
}

/** What a refresh token holds: its grant, and its number. */
export type RefreshClaims = { sub: Wallet; grant: string; sequence: number; client: string }

/** The state of a grant, of which both tokens are made. */
type Refreshable = Granted & { sequence: number; rotatedAt: Date }

type Request = InferOutput<typeof TokenRequest>

/**
 * Exchanges a code, a refresh token or the assertion of an agent's key for tokens, by one statement. A forged
 * one costs no statement.
 * @throws ApiError invalid_grant, invalid_client, unsupported_grant_type, invalid_target, rate_limited
 * @throws ApiError invalid_request for a code or refresh token without its client
 */
export async function exchange(deps: ExchangeDeps & KeyAccessDeps, request: Request): Promise<Tokens> {
  if (request.resource !== undefined && !isMcpResource(request.resource, deps.apiOrigin)) {
    await deps.countCall({})
    throw new ApiError('invalid_target', 'resource is not the MCP server of this service.')
  }
  switch (request.grant_type) {
    case 'authorization_code':
      return tokensOf(deps, await redeemed(deps, await withClient(deps, request)), undefined)
    case 'refresh_token':
      return tokensOf(deps, await refreshed(deps, await withClient(deps, request)), request.scope)
    case 'client_credentials':
      return accessForKey(deps, request)
    default:
      await deps.countCall({})
      throw new ApiError(
        'unsupported_grant_type',
        'grant_type must be authorization_code, refresh_token or client_credentials.',
      )
  }
}

type ClientRequest = Request & { client_id: string }

async function withClient(deps: ExchangeDeps, request: Request): Promise<ClientRequest> {
  if (request.client_id !== undefined) return { ...request, client_id: request.client_id }
  await deps.countCall({})
  throw new ApiError('invalid_request', 'client_id is required.', {
    errors: [{ path: 'client_id', message: 'is required' }],
  })
}

/** Redeems a code of this client, whose verifier proves that the same program asked for it. */
async function redeemed(deps: ExchangeDeps, request: ClientRequest): Promise<Refreshable> {
  const code = await readToken<CodeClaims>(deps, 'code', request.code ?? '')
  await deps.countCall(code ? { grant: code.jti } : {})
  if (!code || code.client !== (await clientKeyOf(request.client_id)))
    throw await refusal(deps, request, 'code')
  if (request.redirect_uri !== undefined && request.redirect_uri !== code.redirectUri)
    throw invalidGrant('code')
  if (!(await answers(request.code_verifier, code.challenge))) throw invalidGrant('code')
  const { db, notify, now } = deps
  const { jti: id, sub: wallet, gen: epoch, client, permissions } = code
  const expiresAt = new Date(code.until)
  const { outcome, toNotify } = await redeemCode(db, {
    ...{ id, wallet, epoch, client, permissions, expiresAt, now },
    name: code.name,
    host: code.host,
    spendLimit: code.limit === undefined ? undefined : BigInt(code.limit),
  })
  if (outcome !== 'redeemed') throw invalidGrant('code')
  notify(toNotify)
  return { id, client, wallet, epoch, permissions, sequence: 0, rotatedAt: now, expiresAt }
}

async function refreshed(deps: ExchangeDeps, request: ClientRequest): Promise<Refreshable> {
  const token = await readToken<RefreshClaims>(deps, 'refresh', request.refresh_token ?? '')
  await deps.countCall(token ? { grant: token.grant } : {})
  if (!token || token.client !== (await clientKeyOf(request.client_id)))
    throw await refusal(deps, request, 'refresh token')
  const { grant: id, client, sequence } = token
  const grant = await refreshGrant(deps.db, { id, client, sequence, now: deps.now })
  if (!grant) throw invalidGrant('refresh token')
  return { ...grant, id, client }
}

/**
 * Makes the tokens of a grant. The refresh token depends on the grant's state alone: processes that refresh
 * at once get the same.
 * @param scope limits the access token to fewer permissions
 */
async function tokensOf(deps: ExchangeDeps, grant: Refreshable, scope: string | undefined): Promise<Tokens> {
  const access = await issueAccess(deps, grant, undefined, scope)
  const { id, client, wallet, sequence, expiresAt } = grant
  const issuedAt = secondsOf(grant.rotatedAt)
  const claims: RefreshClaims = { sub: wallet, grant: id, sequence, client }
  const times = { issuedAt, expiresAt: Math.min(issuedAt + REFRESH_SECONDS, secondsOf(expiresAt)) }
  return { ...access, refreshToken: await signToken(deps, 'refresh', claims, times) }
}

/** Returns whether a verifier is the one of an S256 challenge (RFC 7636). */
async function answers(verifier: string | undefined, challenge: string): Promise<boolean> {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '')) return false
  const hash = await crypto.subtle.digest('SHA-256', utf8(verifier ?? ''))
  return equalBytes(utf8(base64urlnopad.encode(new Uint8Array(hash))), utf8(challenge))
}

/**
 * Returns the error for a code or token that is not valid, or not this client's. If the client's registration
 * is not valid either, clients learn it from `invalid_client` alone, and register again.
 */
const refusal = async (deps: ExchangeDeps, { client_id: id }: { client_id: string }, what: string) =>
  (await isKnownClient(deps, id)) ? invalidGrant(what) : unknownClient()

/** The error for a code or token. Every failed check gets the same text. */
const invalidGrant = (what: string): ApiError =>
  new ApiError(
    'invalid_grant',
    `The ${what} is not valid: it is expired, used, revoked, or of another client.`,
  )
