import { createChallenge } from '../../lib/auth/challenge.ts'
import { login } from '../../lib/auth/login.ts'
import { allowedRequester } from '../../lib/auth/login-domains.ts'
import { revokeSessions } from '../../lib/auth/revoke.ts'
import { CHALLENGE_LIFETIME_MS } from '../../lib/auth/rules.ts'
import { SESSION_SECONDS } from '../../lib/auth/session/token.ts'
import { challengeView, keySetView, sessionView } from '../../lib/auth/views.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { anySessionToEndAccess } from '../../lib/http/session.ts'
import { span } from '../../schema/figures.ts'
import {
  AuthChallenge,
  AuthSession,
  AuthSubmit,
  ChallengeQuery,
  JsonWebKeySet,
  RevokedSessions,
} from '../../schema/wire/auth.ts'
import { connectionRoutes } from './connection-routes.ts'
import type { Deps } from './deps.ts'
import { oauthRoutes } from './oauth-routes.ts'

const operation = operationFor<Cloudflare.AuthEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/auth/handshake',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    query: ChallengeQuery,
    docs: {
      id: 'getChallenge',
      summary: 'Get a login challenge',
      description: [
        `The text to sign with the wallet, valid for ${span(CHALLENGE_LIFETIME_MS, 'minute')} and for one login.`,
        'With `publicKey` it is a Sign-In-With-Solana message for this wallet only, and `signInInput` is the input for the wallet’s `solana:signIn`. Its domain is the requesting page’s (the Origin header) or, without one, the service’s. A deployment may accept logins only from certain pages. Such a deployment requires `publicKey`, because wallets check the domain of that message. Both texts name this service by its base URL (`Service`, `Resources`). Before a wallet signs, check that it is the URL that you call: another host could pass on this service’s challenge, and log in here with the signature.',
      ].join(' '),
      answers: {
        200: {
          description: 'A fresh challenge.',
          schema: AuthChallenge,
          links: { login: { nonce: '#/nonce' } },
        },
      },
      errors: ['login_domain_refused'],
    },
    handle: async ({ deps, query, url, headers }) => {
      const requester = allowedRequester(deps.loginDomains, headers.get('origin') ?? undefined, url)
      return json(challengeView(await createChallenge(deps, { requester, ...query })))
    },
  }),
  operation({
    method: 'POST',
    path: '/auth/handshake',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    body: AuthSubmit,
    docs: {
      id: 'login',
      summary: 'Log in with a signed challenge',
      description: [
        `Exchanges a signature of the exact challenge text for a session token that is valid for ${span(SESSION_SECONDS * 1000, 'hour')}.`,
        'The text may be in Solana’s off-chain message envelope, which hardware wallets sign. A nonce works once. If the wallet returns the bytes that it signed, send them as `signedMessage`: their text must be the challenge, and their only signer the wallet. Without them the service tries the text and seven common envelopes, which have no application domain.',
      ].join(' '),
      answers: {
        200: {
          description: 'The session.',
          schema: AuthSession,
        },
      },
      errors: ['login_refused', 'login_domain_refused', 'dependency_unavailable'],
    },
    handle: async ({ deps, body, url, headers }) => {
      const requester = allowedRequester(deps.loginDomains, headers.get('origin') ?? undefined, url)
      return json(sessionView(await login(deps, body, requester)))
    },
  }),
  operation({
    method: 'POST',
    path: '/auth/revoke',
    access: anySessionToEndAccess,
    limit: 'WALLET_LIMIT',
    docs: {
      id: 'revokeSessions',
      summary: 'End all sessions of the wallet',
      description:
        'Ends every session of the wallet, including this one: use it when a token was stolen, or to stop a program. After the answer, their tokens get 401 `session_revoked`. Requests that run at the same time may still complete. The wallet can log in again at once. Any session may do this.',
      answers: { 200: { description: 'All sessions have ended.', schema: RevokedSessions } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps }) => {
      await revokeSessions(deps)
      return json({ status: 'REVOKED' })
    },
  }),
  operation({
    method: 'GET',
    path: '/auth/jwks.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getSessionKeys',
      summary: 'The public keys of session tokens',
      description: 'A JSON Web Key Set (RFC 7517). During a key rotation it has both keys.',
      answers: {
        200: {
          description: 'The keys.',
          schema: JsonWebKeySet,
        },
      },
      errors: [],
    },
    handle: ({ deps }) => json(keySetView(deps.publicKeys())),
  }),
  ...oauthRoutes,
  ...connectionRoutes,
]
