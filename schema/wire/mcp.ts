import * as v from 'valibot'
import { describe } from '../docs.ts'
import { OwnText, OwnValue, UserText, UserValue } from './answer-text.ts'
import { body } from './body.ts'

// The envelope alone: MCP describes the parameters and results of methods.

const RpcId = v.union([UserText, v.pipe(v.number(), v.safeInteger())])

/** Body of POST /mcp: a JSON-RPC 2.0 request, or without `id` a notification. */
export const RpcMessage = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.optional(RpcId),
  method: v.string(),
  params: v.nullish(v.record(v.string(), v.unknown())),
})

describe(RpcMessage, {
  name: 'RpcMessage',
  description: 'A JSON-RPC 2.0 request of the Model Context Protocol, or without `id` a notification.',
  fields: {
    jsonrpc: '`2.0`.',
    id: 'Returned with the answer.',
    method:
      '`server/discover`, `tools/list`, `tools/call`. Protocol versions before 2026-07-28 have `initialize` and `ping` instead of `server/discover`.',
    params: 'The method’s parameters. Null counts as absent, here and inside.',
  },
  example: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'search_agents',
      arguments: { layer: 17 },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
})

/** The metadata of a protected resource of OAuth (RFC 9728). */
export const ProtectedResource = body(
  'ProtectedResource',
  'How to get a token for an address of the MCP server, by OAuth (RFC 9728).',
  {
    resource: [OwnText, 'The address: the `resource` of an authorization request (RFC 8707).'],
    resource_name: [OwnText, 'The name to show to users.'],
    authorization_servers: [
      v.array(OwnText),
      'The issuer that gives access tokens. Its metadata is at its own host’s root.',
    ],
    scopes_supported: [
      v.array(OwnText),
      'The scopes to ask for at first. A tool that needs another one answers 403 with it.',
    ],
    bearer_methods_supported: [v.array(v.literal('header')), 'Tokens are sent in the Authorization header.'],
  },
  {
    resource: 'https://api.agentcred.example/v1/mcp',
    resource_name: 'AgentCred',
    authorization_servers: ['https://api.agentcred.example'],
    scopes_supported: ['read', 'agents:hire'],
    bearer_methods_supported: ['header'],
  },
)

const RpcError = body(
  'RpcError',
  'Why a request has no result. A tool that fails has a result with `isError`.',
  {
    code: [
      v.pipe(v.number(), v.integer()),
      'A code of JSON-RPC or MCP, such as -32601 (unknown method) or -32020 (header mismatch).',
    ],
    message: [OwnText, 'What is wrong.'],
    data: [
      v.optional(v.record(v.string(), OwnValue)),
      'With -32022: the `supported` versions, and the one `requested`.',
    ],
  },
)

export const RpcAnswer = body(
  'RpcAnswer',
  'A JSON-RPC 2.0 response.',
  {
    jsonrpc: [v.literal('2.0'), '`2.0`.'],
    id: [v.optional(RpcId), 'The request’s id; absent if the request has no valid id.'],
    result: [v.optional(v.record(v.string(), UserValue)), 'The method’s result.'],
    error: [v.optional(RpcError), 'Why there is no result.'],
  },
  {
    jsonrpc: '2.0',
    id: 1,
    result: {
      resultType: 'complete',
      content: [{ type: 'text', text: '{"agents":[],"count":0}' }],
      structuredContent: { agents: [], count: 0 },
    },
  },
)
