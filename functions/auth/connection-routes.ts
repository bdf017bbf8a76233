import { endConnection, listConnections } from '../../lib/auth/oauth/connections.ts'
import { createConnection, createConnectionChallenge } from '../../lib/auth/oauth/new-connection.ts'
import { connectionsView, createdConnectionView } from '../../lib/auth/oauth/views.ts'
import { CHALLENGE_LIFETIME_MS } from '../../lib/auth/rules.ts'
import { challengeView } from '../../lib/auth/views.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { anySessionToEndAccess, withSession } from '../../lib/http/session.ts'
import { span } from '../../schema/figures.ts'
import { AuthChallenge } from '../../schema/wire/auth.ts'
import { ConnectionPath, Connections, EndedConnection } from '../../schema/wire/oauth/connections.ts'
import {
  ConnectionConsent,
  CreatedConnection,
  NewConnectionChoices,
} from '../../schema/wire/oauth/new-connection.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AuthEnv, Deps>()

/** The connections of a wallet: those of programs, and those that it creates. */
export const connectionRoutes = [
  operation({
    method: 'GET',
    path: '/oauth/grants',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    docs: {
      id: 'listConnections',
      summary: 'List what acts for you',
      description: 'The active connections of the wallet: programs, tokens and keys, the last used first.',
      answers: {
        200: {
          description: 'The connections.',
          schema: Connections,
          links: { endConnection: { id: '#/connections/0/id' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session }) => json(connectionsView(await listConnections(deps, session.wallet))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/grants/challenge',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    body: NewConnectionChoices,
    docs: {
      id: 'getConnectionChallenge',
      summary: 'Get the challenge of a new token or key',
      description: `The text that the wallet signs to create a token, or to allow an agent’s own key: a Sign-In-With-Solana message that names the key, what is allowed, and until when. Valid for ${span(CHALLENGE_LIFETIME_MS, 'minute')} and once, from the service’s own page alone.`,
      answers: { 200: { description: 'A fresh challenge.', schema: AuthChallenge } },
      errors: ['origin_refused'],
    },
    handle: async ({ deps, body, headers }) =>
      json(challengeView(await createConnectionChallenge(deps, body, headers.get('origin')))),
  }),
  operation({
    method: 'POST',
    path: '/oauth/grants',
    access: 'public',
    limit: 'LOGIN_LIMIT',
    body: ConnectionConsent,
    docs: {
      id: 'createConnection',
      summary: 'Create a token, or allow an agent’s key',
      description:
        'Takes the signed challenge, with the same choices as for the challenge. A token works at the MCP server until it ends. A key gets access tokens at POST /oauth/token. The answer is given once. Counts like a consent.',
      answers: { 201: { description: 'The connection.', schema: CreatedConnection } },
      errors: ['login_refused', 'origin_refused', 'dependency_unavailable'],
    },
    handle: async ({ deps, body, headers }) =>
      json(
        createdConnectionView(
          await createConnection(deps, body, headers.get('origin'), clientAddress(headers)),
        ),
        201,
      ),
  }),
  operation({
    method: 'DELETE',
    path: '/oauth/grants/{id}',
    access: anySessionToEndAccess,
    limit: 'WALLET_LIMIT',
    params: ConnectionPath,
    docs: {
      id: 'endConnection',
      summary: 'End a connection',
      description: 'Its tokens and its key stop at once. Ending it again changes nothing.',
      answers: { 200: { description: 'The connection has ended.', schema: EndedConnection } },
      errors: ['connection_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) => {
      await endConnection(deps, session.wallet, params.id)
      return json({ status: 'ENDED' })
    },
  }),
]
