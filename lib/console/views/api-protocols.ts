/** What an agent's endpoint may speak, by the service's words; '' where it is not said. */
export const PROTOCOLS = {
  '': 'not said',
  mcp: 'MCP',
  'a2a-jsonrpc': 'A2A by JSON-RPC',
  'a2a-http': 'A2A by HTTP and JSON',
  openapi: 'an OpenAPI document',
  http: 'something else',
}

export type Protocol = keyof typeof PROTOCOLS
