import { cardAnswer, MCP_CARD_TYPE } from '../../lib/discovery/cards/read.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { ownServerCard } from '../../lib/mcp/published.ts'
import { serve } from '../../lib/mcp/serve.ts'
import { exampleServerCard } from '../../schema/example-cards.ts'
import { RpcAnswer, RpcMessage } from '../../schema/wire/mcp.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.McpEnv, Deps>()

const protocolError = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32601, message: 'This server does not have the method.' },
} as const

export const routes = [
  operation({
    method: 'POST',
    path: '/mcp',
    access: 'public',
    limit: 'READ_LIMIT',
    textBody: RpcMessage,
    docs: DOCS && {
      id: 'callMcp',
      summary: 'Use the service as tools of a model',
      description:
        'The Model Context Protocol over Streamable HTTP: version 2026-07-28, which has no sessions, and the versions with `initialize` (2025-11-25, 2025-06-18, 2025-03-26). Tools that read public data need no session; tools that act for a wallet take its session token in the Authorization header. An error of a tool’s operation is a result with `isError`; an invalid token is 401.',
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
      errors: ['origin_refused', 'token_invalid', 'session_revoked', 'dependency_unavailable'],
    },
    handle: async ({ deps, text, headers }) => {
      const { status, body } = await serve(deps, text, headers)
      return body === undefined ? new Response(null, { status }) : json(body, status)
    },
  }),
  operation({
    method: 'GET',
    path: '/mcp/server-card',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: DOCS && {
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
