import { cardAnswer, MCP_CARD_TYPE } from '../../lib/discovery/cards/read.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { ownServerCard } from '../../lib/mcp/published.ts'
import { serve } from '../../lib/mcp/serve.ts'
import { exampleServerCard } from '../../schema/example-cards.ts'
import { RpcAnswer, RpcMessage } from '../../schema/wire/mcp.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.McpEnv, Deps>()

const protocolFault = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32601, message: 'There is no such method here.' },
} as const

export const routes = [
  operation({
    method: 'POST',
    path: '/mcp',
    access: 'public',
    limit: 'READ_LIMIT',
    textBody: RpcMessage,
    words: WORDS && {
      id: 'callMcp',
      summary: 'Use the service as tools of a model',
      description:
        'The Model Context Protocol over Streamable HTTP: revision 2026-07-28, which keeps no sessions, and the era before it (2025-11-25, 2025-06-18, 2025-03-26). Reading tools are open; those that act for a wallet take its session token in the Authorization header. What a tool’s operation declines is a result with `isError`; a bad token is 401.',
      answers: {
        200: { description: 'The response to a request.', schema: RpcAnswer },
        202: { description: 'A notification was taken; there is no body.' },
        400: { description: 'The protocol refuses the message.', schema: RpcAnswer, example: protocolFault },
        404: { description: 'There is no such method.', schema: RpcAnswer, example: protocolFault },
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
    words: WORDS && {
      id: 'getOwnServerCard',
      summary: 'Read the server card of this MCP server',
      description:
        'Where the server is, what it is called, which revisions of the protocol it speaks, and which header it takes.',
      answers: {
        200: { description: 'An MCP server card.', mediaType: MCP_CARD_TYPE, example: exampleServerCard },
      },
      errors: [],
    },
    handle: ({ deps }) => cardAnswer(JSON.stringify(ownServerCard(deps.publication)), MCP_CARD_TYPE),
  }),
]
