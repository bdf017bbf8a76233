import * as v from 'valibot'
import { describe } from '../docs.ts'
import { OwnText, OwnValue, UserText, UserValue } from './answer-text.ts'

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
export const ProtectedResource = v.strictObject({
  resource: OwnText,
  resource_name: OwnText,
  authorization_servers: v.array(OwnText),
  scopes_supported: v.array(OwnText),
  bearer_methods_supported: v.array(v.literal('header')),
})

describe(ProtectedResource, {
  name: 'ProtectedResource',
  description: 'How to get a token for an address of the MCP server, by OAuth (RFC 9728).',
  fields: {
    resource: 'The address: the `resource` of an authorization request (RFC 8707).',
    resource_name: 'The name to show to users.',
    authorization_servers: 'The issuer that gives access tokens. Its metadata is at its own host’s root.',
    scopes_supported: 'The scopes to ask for at first. A tool that needs another one answers 403 with it.',
    bearer_methods_supported: 'Tokens are sent in the Authorization header.',
  },
  example: {
    resource: 'https://api.agentcred.example/v1/mcp',
    resource_name: 'AgentCred',
    authorization_servers: ['https://api.agentcred.example'],
    scopes_supported: ['read', 'agents:hire'],
    bearer_methods_supported: ['header'],
  },
})

const RpcError = v.strictObject({
  code: v.pipe(v.number(), v.integer()),
  message: OwnText,
  data: v.optional(v.record(v.string(), OwnValue)),
})

describe(RpcError, {
  name: 'RpcError',
  description: 'Why a request has no result. A tool that fails has a result with `isError`.',
  fields: {
    code: 'A code of JSON-RPC or MCP, such as -32601 (unknown method) or -32020 (header mismatch).',
    message: 'What is wrong.',
    data: 'With -32022: the `supported` versions, and the one `requested`.',
  },
})

export const RpcAnswer = v.strictObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(RpcId),
  result: v.optional(v.record(v.string(), UserValue)),
  error: v.optional(RpcError),
})

describe(RpcAnswer, {
  name: 'RpcAnswer',
  description: 'A JSON-RPC 2.0 response.',
  fields: {
    jsonrpc: '`2.0`.',
    id: 'The request’s id; absent if the request has no valid id.',
    result: 'The method’s result.',
    error: 'Why there is no result.',
  },
  example: {
    jsonrpc: '2.0',
    id: 1,
    result: {
      resultType: 'complete',
      content: [{ type: 'text', text: '{"agents":[],"count":0}' }],
      structuredContent: { agents: [], count: 0 },
    },
  },
})
