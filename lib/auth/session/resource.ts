/**
 * Returns the resource that access tokens are for (RFC 8707): the MCP server. Its Worker and those behind its
 * tools accept them.
 * @param origin API_ORIGIN
 */
export const mcpResource = (origin: string): string => `${origin}/v1/mcp`

/** Returns whether a client names the MCP server by one of its two URLs. Their tokens are the same. */
export const isMcpResource = (resource: string, origin: string): boolean =>
  [mcpResource(origin), `${mcpResource(origin)}/wallet`].includes(resource)
