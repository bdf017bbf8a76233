import { cardAnswer, MCP_CARD_TYPE } from '../../lib/discovery/cards/read.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { type OtherAccess, operationFor } from '../../lib/http/operation.ts'
import { holderOf, requireWithin } from '../../lib/http/rate-limit.ts'
import { type McpPath, protectedResource } from '../../lib/mcp/access.ts'
import { ownServerCard } from '../../lib/mcp/published.ts'
import { type ServeDeps, serve } from '../../lib/mcp/serve.ts'
import { exampleServerCard } from '../../schema/example-cards.ts'
import { ProtectedResource, RpcAnswer, RpcMessage } from '../../schema/wire/mcp.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.McpEnv, Deps>()

const protocolError = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32601, message: 'This server does not have the method.' },
} as const

/**
 * Access with or without a token. A valid one counts by its grant, because many users of a hosted client
 * share its address. All other requests count by address.
 */
const countedByToken: OtherAccess = { stages: () => [] }

const counting = (deps: Deps, headers: Headers): ServeDeps => ({
  ...deps,
  countCall: (session) =>
    requireWithin(
      'READ_LIMIT',
      deps.limits.READ_LIMIT,
      `POST ${session === undefined ? clientAddress(headers) : holderOf(session)}`,
    ),
})

/** The docs of an operation that exists once for each address. */
type Docs = { id: string; summary: string; description: string; needsToken?: true }

/** An address of the MCP server. */
const server = (path: McpPath, docs: Docs) =>
  operation({
    method: 'POST',
    path,
    access: countedByToken,
    limit: 'READ_LIMIT',
    textBody: RpcMessage,
    docs: {
      ...docs,
      answers: {
        200: { description: 'The response to a request.', schema: RpcAnswer },
        202: { description: 'A notification was accepted; the answer has no body.' },
        400: { description: 'The message is not valid.', schema: RpcAnswer, example: protocolError },
        404: {
          description: 'The server does not have the method.',
          schema: RpcAnswer,
          example: protocolError,
        },
      },
      errors: [
        'origin_refused',
        'token_missing',
        'token_invalid',
        'session_revoked',
        'permission_missing',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, text, headers, now }) => {
      const { status, body } = await serve(counting(deps, headers), { path, read: text, headers, now })
      return body === undefined ? new Response(null, { status }) : json(body, status)
    },
  })

/** The metadata of an address, at the host's root. */
const metadata = (path: McpPath, docs: Docs) =>
  operation({
    method: 'GET',
    path: `/.well-known/oauth-protected-resource/v1${path}`,
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      ...docs,
      answers: { 200: { description: 'The metadata.', schema: ProtectedResource } },
      errors: [],
    },
    handle: ({ deps }) => json(protectedResource(deps.access.origin, path)),
  })

export const routes = [
  server('/mcp', {
    id: 'callMcp',
    summary: 'Use the service as tools of a model',
    description:
      'The Model Context Protocol over Streamable HTTP: version 2026-07-28, which has no sessions, and the versions with `initialize` (2025-11-25, 2025-06-18, 2025-03-26). Tools that read public data need no token; tools that act for a wallet take an access token (OAuth) or a session token in the Authorization header. An error of a tool’s operation is a result with `isError`. A missing or invalid token is 401, a missing permission 403; WWW-Authenticate has the URL of the metadata by which clients find the authorization server, and the scope to ask for.',
  }),
  server('/mcp/wallet', {
    id: 'callMcpOfWallet',
    needsToken: true,
    summary: 'Use the tools with a token only',
    description:
      'The same server as POST /mcp, which answers every request without a token with 401. Use this address in clients that offer to log in only if a server needs it.',
  }),
  metadata('/mcp', {
    id: 'getMcpMetadata',
    summary: 'Read how to get a token for the MCP server',
    description:
      'The metadata of a protected resource (RFC 9728), at the host’s root. MCP clients find it by themselves.',
  }),
  metadata('/mcp/wallet', {
    id: 'getMcpWalletMetadata',
    summary: 'Read how to get a token for the wallet’s address',
    description: 'The same for POST /mcp/wallet. Its access tokens are valid at POST /mcp, too.',
  }),
  operation({
    method: 'GET',
    path: '/mcp/server-card',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getOwnServerCard',
      summary: 'Read the server card of this MCP server',
      description: 'The server’s address, name and protocol versions, and the header that it accepts.',
      answers: {
        200: { description: 'An MCP server card.', mediaType: MCP_CARD_TYPE, example: exampleServerCard },
      },
      errors: [],
    },
    handle: ({ deps }) => cardAnswer(JSON.stringify(ownServerCard(deps.publication)), MCP_CARD_TYPE),
  }),
]
