import { GRANT_UNUSED_MS } from '../../lib/auth/grants/rules.ts'
import { type ClientDeps, registerClient } from '../../lib/auth/oauth/client.ts'
import { createConsentChallenge, giveConsent } from '../../lib/auth/oauth/consent.ts'
import { type ExchangeDeps, exchange } from '../../lib/auth/oauth/exchange.ts'
import type { KeyAccessDeps } from '../../lib/auth/oauth/key-access.ts'
import { openRequest } from '../../lib/auth/oauth/request.ts'
import { revokeToken } from '../../lib/auth/oauth/revoke.ts'
import {
  authorizationRequestView,
  authorizationServerView,
  registeredClientView,
  tokenView,
} from '../../lib/auth/oauth/views.ts'
import { CHALLENGE_LIFETIME_MS } from '../../lib/auth/rules.ts'
import { challengeView } from '../../lib/auth/views.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { type OtherAccess, operationFor } from '../../lib/http/operation.ts'
import { limitProofsByAddress, requireWithin } from '../../lib/http/rate-limit.ts'
import { span } from '../../schema/figures.ts'
import { AuthChallenge } from '../../schema/wire/auth.ts'
import { AuthorizationServer, ClientMetadata, RegisteredClient } from '../../schema/wire/oauth/clients.ts'
import {
  AuthorizationQuery,
  AuthorizationRequest,
  Consent,
  ConsentChoices,
  Consented,
} from '../../schema/wire/oauth/consent.ts'
import { RevocationRequest, RevokedToken, TokenAnswer, TokenRequest } from '../../schema/wire/oauth/tokens.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AuthEnv, Deps>()

/**
 * Access by a code or a token in the body. A proven one counts by its grant, so that a program uses up no
 * calls of another one of its wallet. Many users of a web client share its address, so it has the limit of
 * sessions. It bounds what ended grants can ask.
 */
const withProof: OtherAccess = { stages: () => [limitProofsByAddress] }

/**
 * Counts the calls of a token request: by grant once it is proven, else by address. An assertion counts with
 * the logins of its address.
 * @param to what the call is for: ending a connection uses up no tokens, and tokens no ending
 */
const counting = (deps: Deps, headers: Headers, to: 'token' | 'revoke'): ExchangeDeps & KeyAccessDeps => {
  const { READ_LIMIT, LOGIN_LIMIT, WALLET_LIMIT } = deps.limits
  const ofAddress = `POST ${clientAddress(headers)}`
  return {
    ...deps,
    countCall: ({ grant }) =>
      grant === undefined
        ? requireWithin('READ_LIMIT', READ_LIMIT, ofAddress)
        : requireWithin('WALLET_LIMIT', WALLET_LIMIT, `${to} ${grant}`),
    countAssertion: () => requireWithin('LOGIN_LIMIT', LOGIN_LIMIT, ofAddress),
  }
}

/** Counts reads of a stranger's host by the client address that causes them. */
const reading = (deps: Deps, headers: Headers): ClientDeps => {
  const { PUBLIC_WRITE_LIMIT } = deps.limits
  return {
    ...deps,
    countDocument: (host) =>
      requireWithin('PUBLIC_WRITE_LIMIT', PUBLIC_WRITE_LIMIT, `client ${host} ${clientAddress(headers)}`),
  }
}

export const oauthRoutes = [
  operation({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getAuthorizationServer',
      summary: 'Read how programs ask for access',
      description:
        'The metadata of the OAuth 2.1 authorization server (RFC 8414). Clients are public and use PKCE (S256). A client’s id is the URL of its metadata document, or comes from POST /oauth/register.',
      answers: { 200: { description: 'The metadata.', schema: AuthorizationServer } },
      errors: [],
    },
    handle: ({ deps }) => json(authorizationServerView(deps.apiOrigin)),
  }),
  operation({
    method: 'POST',
    path: '/oauth/register',
    access: 'public',
    limit: 'READ_LIMIT',
    body: ClientMetadata,
    docs: {
      id: 'registerClient',
      summary: 'Register a program that asks for access',
      description: `Dynamic client registration (RFC 7591) of a public client. Nothing is stored: the id holds the registration, and is valid until the service’s keys have changed and ${span(GRANT_UNUSED_MS, 'day')} have passed.`,
      answers: { 201: { description: 'The registered client.', schema: RegisteredClient } },
      errors: ['invalid_redirect_uri'],
    },
    handle: async ({ deps, body }) => json(registeredClientView(await registerClient(deps, body)), 201),
  }),
  operation({
    method: 'GET',
    path: '/oauth/request',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    query: AuthorizationQuery,
    docs: {
      id: 'getAuthorizationRequest',
      summary: 'Check a program’s request for access',
      description:
        'For the consent page, which passes the parameters that the program gave it. Shows who asks, where the answer goes, and what is asked for. The page never goes to `refuseUrl` unless the user chooses so.',
      answers: { 200: { description: 'The request.', schema: AuthorizationRequest } },
      errors: ['invalid_client', 'invalid_redirect_uri'],
    },
    handle: async ({ deps, query, headers }) =>
      json(authorizationRequestView(await openRequest(reading(deps, headers), query))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/challenge',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    body: ConsentChoices,
    docs: {
      id: 'getConsentChallenge',
      summary: 'Get the challenge of a consent',
      description: `The text that the wallet signs to allow a program to act for it: a Sign-In-With-Solana message that names where the answer goes, what is allowed, and until when. Valid for ${span(CHALLENGE_LIFETIME_MS, 'minute')} and once, from the service’s own page alone.`,
      answers: { 200: { description: 'A fresh challenge.', schema: AuthChallenge } },
      errors: ['origin_refused', 'request_expired'],
    },
    handle: async ({ deps, body, headers }) =>
      json(challengeView(await createConsentChallenge(deps, body, headers.get('origin')))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/consent',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    body: Consent,
    docs: {
      id: 'giveConsent',
      summary: 'Allow a program to act for a wallet',
      description:
        'Takes the signed challenge, with the same choices as for the challenge, and answers where to go with the code. Consents of wallets that have paid nothing are limited by client address, per hour.',
      answers: { 200: { description: 'The program may connect.', schema: Consented } },
      errors: ['login_refused', 'origin_refused', 'request_expired', 'dependency_unavailable'],
    },
    handle: async ({ deps, body, headers }) =>
      json(await giveConsent(deps, body, headers.get('origin'), clientAddress(headers))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/token',
    access: withProof,
    limit: 'WALLET_LIMIT',
    body: TokenRequest,
    bodyForm: true,
    docs: {
      id: 'getTokens',
      summary: 'Get tokens for a code, a refresh token or an assertion',
      description:
        'RFC 6749 for public clients with PKCE. A code works once: if it is used again, its tokens end. Each refresh token replaces the one before, which works for another minute and then ends the connection. An agent with its own key sends an assertion (RFC 7523), which works once, and gets an access token alone; assertions count like logins. Errors also have `error` and `error_description`.',
      answers: { 200: { description: 'The tokens.', schema: TokenAnswer } },
      errors: [
        'invalid_grant',
        'invalid_client',
        'unsupported_grant_type',
        'invalid_target',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, body, headers }) =>
      json(tokenView(await exchange(counting(deps, headers, 'token'), body))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/revoke',
    access: withProof,
    limit: 'WALLET_LIMIT',
    body: RevocationRequest,
    bodyForm: true,
    docs: {
      id: 'revokeToken',
      summary: 'End a connection by its token',
      description:
        'RFC 7009: ends the connection of a refresh token or access token, at once. A text that is no token is no error.',
      answers: { 200: { description: 'The token does not work any more.', schema: RevokedToken } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, body, headers }) => {
      await revokeToken(counting(deps, headers, 'revoke'), body)
      return json({})
    },
  }),
]
