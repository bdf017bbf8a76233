import { createChallenge } from '../../lib/auth/challenge.ts'
import { login } from '../../lib/auth/login.ts'
import { allowedRequester } from '../../lib/auth/login-domains.ts'
import { revokeSessions } from '../../lib/auth/revoke.ts'
import { challengeView, keySetView, sessionView } from '../../lib/auth/views.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import {
  AuthChallenge,
  AuthSession,
  AuthSubmit,
  ChallengeQuery,
  JsonWebKeySet,
  RevokedSessions,
} from '../../schema/wire/auth.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AuthEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/auth/handshake',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    query: ChallengeQuery,
    docs: WORDS && {
      id: 'getChallenge',
      summary: 'Get a login challenge',
      description:
        'The text to sign with the wallet, valid for five minutes and for one login. With `publicKey` it is a Sign-In-With-Solana message that only this wallet may answer, and `signInInput` is ready for the wallet’s `solana:signIn`. The domain shown is that of the asking page (its Origin header), else the service’s. A deployment may let only certain pages log users in; there only a message with `publicKey` logs in, since wallets check its domain.',
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
    docs: WORDS && {
      id: 'login',
      summary: 'Log in with a signed challenge',
      description:
        'Exchanges a signature over the exact challenge text (or over that text in Solana’s off-chain message envelope, as hardware wallets sign it) for a session token of 24 hours. A nonce works once.',
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
    access: withSession(),
    limit: 'WALLET_LIMIT',
    docs: WORDS && {
      id: 'revokeSessions',
      summary: 'End all sessions of the wallet',
      description:
        'Ends every session of the wallet that has begun, this one too: for a token that was stolen, or a program that should stop. From the answer on no token of these reads or changes anything: 401 `session_revoked`. A request that is being answered meanwhile may be done. The wallet can log in again at once. Any session may do this.',
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
    docs: WORDS && {
      id: 'getSessionKeys',
      summary: 'The public keys of session tokens',
      description: 'A JSON Web Key Set (RFC 7517). While one key replaces another, both are in it.',
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
]
