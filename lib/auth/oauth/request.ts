import type { InferOutput } from 'valibot'
import type { GrantablePermission } from '../../../schema/values.ts'
import type { AuthorizationQuery } from '../../../schema/wire/oauth/consent.ts'
import { ApiError } from '../../api-error.ts'
import { isMcpResource } from '../session/resource.ts'
import { type ClientDeps, clientKeyOf, findClient } from './client.ts'
import { type Destination, destinationOf, isRegistered, withParameters } from './redirects.ts'
import { REQUEST_SECONDS } from './rules.ts'
import { permissionsOfScope } from './scopes.ts'
import { readToken, type SigningDeps, secondsOf, signToken } from './tokens.ts'

/** What an authorization request asks for, as the token of a request holds it. */
export type AskedFor = {
  /** {@link clientKeyOf} */
  client: string
  name: string
  redirectUri: string
  challenge: string
  state?: string
  permissions: GrantablePermission[]
}

/** An error of an authorization request that goes to the client (RFC 6749, 4.1.2.1). */
type Problem = { error: string; description: string }

/**
 * Checks an authorization request. Nothing is stored: the answer holds the request, signed. A request with
 * another error than of its client or redirect URI has a `problem`, and a URL that tells it to the client.
 * @throws ApiError invalid_client, invalid_redirect_uri, rate_limited
 */
export async function openRequest(deps: ClientDeps, query: InferOutput<typeof AuthorizationQuery>) {
  const { client_id: clientId, redirect_uri: redirectUri, state } = query
  const client = await findClient(deps, clientId)
  const destination = isRegistered(redirectUri, client.redirectUris) ? destinationOf(redirectUri) : undefined
  if (!destination) {
    throw new ApiError('invalid_redirect_uri', 'redirect_uri is not one of the client’s redirect URIs.', {
      errors: [{ path: 'redirect_uri', message: 'is not one of the client’s redirect URIs' }],
    })
  }
  const permissions = permissionsOfScope(query.scope)
  const shown = { clientName: client.name, clientHost: client.host, destination, permissions }
  const problem = problemOf(query, deps.apiOrigin)
  if (problem)
    return {
      ...shown,
      problem,
      request: undefined,
      expiresAt: undefined,
      refuseUrl: errorUrl(deps, redirectUri, state, problem),
    }
  const asked: AskedFor = {
    client: await clientKeyOf(clientId),
    name: client.name,
    redirectUri,
    challenge: query.code_challenge ?? '',
    permissions,
    ...(state === undefined ? {} : { state }),
  }
  const issuedAt = secondsOf(deps.now)
  const expiresAt = issuedAt + REQUEST_SECONDS
  const refused = { error: 'access_denied', description: 'The user did not allow it.' }
  return {
    ...shown,
    problem: undefined,
    request: await signToken(deps, 'request', asked, { issuedAt, expiresAt }),
    expiresAt: new Date(expiresAt * 1000),
    refuseUrl: errorUrl(deps, redirectUri, state, refused),
  }
}

/**
 * Reads the token of an authorization request.
 * @throws ApiError request_expired, also for any text that is no such token
 */
export async function readRequest(
  deps: SigningDeps,
  token: string,
): Promise<AskedFor & { destination: Destination }> {
  const asked = await readToken<AskedFor>(deps, 'request', token)
  const destination = asked && destinationOf(asked.redirectUri)
  if (destination) return { ...asked, destination }
  throw new ApiError(
    'request_expired',
    `The request is older than ${REQUEST_SECONDS / 60} minutes, or not of this service.`,
    {
      errors: [{ path: 'request', message: 'is not valid any more' }],
    },
  )
}

/** Returns the redirect URI with an answer to the client, which names this service (RFC 9207). */
export const answerUrl = (
  { apiOrigin }: { apiOrigin: string },
  redirectUri: string,
  answer: Record<string, string | undefined>,
): string => withParameters(redirectUri, { ...answer, iss: apiOrigin })

const errorUrl = (
  deps: ClientDeps,
  redirectUri: string,
  state: string | undefined,
  { error, description }: Problem,
): string => answerUrl(deps, redirectUri, { error, error_description: description, state })

const S256 = /^[A-Za-z0-9_-]{43}$/

function problemOf(query: InferOutput<typeof AuthorizationQuery>, apiOrigin: string): Problem | undefined {
  if (query.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code.' }
  if (query.code_challenge_method !== 'S256' || !S256.test(query.code_challenge ?? ''))
    return {
      error: 'invalid_request',
      description: 'PKCE is required: code_challenge with code_challenge_method S256.',
    }
  if (query.resource !== undefined && !isMcpResource(query.resource, apiOrigin))
    return { error: 'invalid_target', description: 'resource is not the MCP server of this service.' }
  return undefined
}
