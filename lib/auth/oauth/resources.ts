/** The only audience of access tokens: the MCP server. */
export const audienceOf = (apiOrigin: string): string => `${apiOrigin}/v1/mcp`

/**
 * Returns whether a client names the MCP server by one of its two URLs (RFC 8707). Their tokens are the same.
 */
export const isResource = (resource: string, apiOrigin: string): boolean =>
  [audienceOf(apiOrigin), `${audienceOf(apiOrigin)}/wallet`].includes(resource)
