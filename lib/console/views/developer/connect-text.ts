/** The AI clients whose settings the console knows, by their names. */
export const AI_CLIENTS = {
  claudeCode: 'Claude Code',
  claudeDesktop: 'Claude Desktop',
  cursor: 'Cursor',
  vsCode: 'VS Code',
} as const

export type AiClient = keyof typeof AI_CLIENTS

/** What to copy, and what to do with it. */
type Settings = { where: string; text: string; next: string }

/** The environment variable from which Cursor reads the token. */
const VARIABLE = 'AGENTCRED_TOKEN'

/**
 * Writes the settings of an AI client for this service's MCP server. Those of Cursor and VS Code never have
 * the token itself.
 * @param url of the server
 * @param token a session token; without it the settings are for public data
 */
export const settingsOf = (client: AiClient, url: string, token: string | undefined): Settings =>
  WRITERS[client](url, token)

const WRITERS: Record<AiClient, (url: string, token: string | undefined) => Settings> = {
  claudeCode: (url, token) => ({
    where: 'Run this command in a terminal.',
    text: `claude mcp add --transport http agentcred ${url}${token ? ` --header "Authorization: Bearer ${token}"` : ''}`,
    next: `Start Claude Code. The command /mcp shows the connection. ${token ? 'Your shell may keep the command, which contains the token. ' : ''}To replace the settings, first run claude mcp remove agentcred.`,
  }),
  claudeDesktop: (url, token) => ({
    where:
      'Open Settings, Developer, Edit Config, and add this to claude_desktop_config.json. It needs Node.',
    text: json({
      mcpServers: {
        agentcred: {
          command: 'npx',
          // Some versions split an argument at a space, so the variable has the word Bearer.
          args: ['-y', 'mcp-remote', url, ...(token ? ['--header', `Authorization:\${AUTH}`] : [])],
          ...(token ? { env: { AUTH: `Bearer ${token}` } } : {}),
        },
      },
    }),
    next: 'Restart Claude Desktop.',
  }),
  cursor: (url, token) => ({
    where: 'Add this to ~/.cursor/mcp.json.',
    text: json({
      mcpServers: {
        agentcred: { url, ...(token ? { headers: { Authorization: `Bearer \${env:${VARIABLE}}` } } : {}) },
      },
    }),
    next: token
      ? `Set the environment variable ${VARIABLE} to the token, then start Cursor from the same terminal.`
      : 'Restart Cursor.',
  }),
  vsCode: (url, token) => ({
    where: 'Run the command “MCP: Open User Configuration”, and add this to mcp.json.',
    text: json({
      ...(token
        ? {
            inputs: [
              { type: 'promptString', id: 'agentcred', description: 'AgentCred token', password: true },
            ],
          }
        : {}),
      servers: {
        agentcred: {
          type: 'http',
          url,
          ...(token ? { headers: { Authorization: `Bearer \${input:agentcred}` } } : {}),
        },
      },
    }),
    next: token
      ? 'Start the server by the button above its name. VS Code asks for the token, and keeps it encrypted.'
      : 'Start the server by the button above its name.',
  }),
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
