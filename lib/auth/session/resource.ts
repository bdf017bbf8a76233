/**
 * Returns the resource that access tokens are for (RFC 8707): the MCP server. Its Worker and those behind its
 * tools accept them.
 * @param origin API_ORIGIN
 */
export const mcpResource = (origin: string): string => `${origin}/v1/mcp`
