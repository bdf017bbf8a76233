/** AI clients that ask for access by themselves: the visitor allows it in the browser. */
export const LOGIN_CLIENTS = {
  claudeCode: 'Claude Code',
  claude: 'Claude',
  cursor: 'Cursor',
  vsCode: 'VS Code',
} as const

/** AI clients that can send a token. */
export const TOKEN_CLIENTS = {
  claudeCode: 'Claude Code',
  claudeDesktop: 'Claude Desktop',
  cursor: 'Cursor',
  vsCode: 'VS Code',
} as const

export type LoginClient = keyof typeof LOGIN_CLIENTS
export type TokenClient = keyof typeof TOKEN_CLIENTS

/** What to copy, and what to do with it. */
type Settings = { where: string; text: string; next: string }

/** The environment variable from which Cursor reads the token. */
const VARIABLE = 'AGENTCRED_TOKEN'

const IN_TERMINAL = 'Run this command in a terminal.'
const IN_CURSOR = 'Add this to ~/.cursor/mcp.json.'
const IN_VS_CODE = 'Run the command “MCP: Open User Configuration”, and add this to mcp.json.'

/**
 * Writes the settings of an AI client that asks for access by itself.
 * @param url of this service's MCP server
 */
export const loginSettingsOf = (client: LoginClient, url: string): Settings => LOGIN_WRITERS[client](url)

const LOGIN_WRITERS: Record<LoginClient, (url: string) => Settings> = {
  claudeCode: (url) => ({
    where: IN_TERMINAL,
    text: `claude mcp add --transport http agentcred ${url}`,
    next: 'Start Claude Code, run /mcp, and choose agentcred to authenticate.',
  }),
  claude: (url) => ({
    where: 'Open Settings, Connectors, “Add custom connector”, and enter this URL.',
    text: url,
    next: 'Press “Connect”. Claude reaches only servers on the internet.',
  }),
  cursor: (url) => ({
    where: IN_CURSOR,
    text: json({ mcpServers: { agentcred: { url } } }),
    next: 'Open Cursor’s MCP settings, and log in to agentcred.',
  }),
  vsCode: (url) => ({
    where: IN_VS_CODE,
    text: json({ servers: { agentcred: { type: 'http', url } } }),
    next: 'Start the server by the button above its name. VS Code asks to open the browser.',
  }),
}

/**
 * Writes the settings of an AI client with a token. The settings of Cursor and VS Code never have the
 * token itself.
 * @param url of this service's MCP server
 */
export const tokenSettingsOf = (client: TokenClient, url: string, token: string): Settings =>
  TOKEN_WRITERS[client](url, token)

const TOKEN_WRITERS: Record<TokenClient, (url: string, token: string) => Settings> = {
  claudeCode: (url, token) => ({
    where: IN_TERMINAL,
    text: `claude mcp add --transport http agentcred ${url} --header "Authorization: Bearer ${token}"`,
    next: 'Start Claude Code. The command /mcp shows the connection. Your shell may keep the command, which contains the token. To replace the settings, first run claude mcp remove agentcred.',
  }),
  claudeDesktop: (url, token) => ({
    where:
      'Open Settings, Developer, Edit Config, and add this to claude_desktop_config.json. It needs Node.',
    text: json({
      mcpServers: {
        agentcred: {
          command: 'npx',
          // Some versions split an argument at a space, so the variable has the word Bearer.
          args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${AUTH}`],
          env: { AUTH: `Bearer ${token}` },
        },
      },
    }),
    next: 'Restart Claude Desktop.',
  }),
  cursor: (url) => ({
    where: IN_CURSOR,
    text: json({
      mcpServers: { agentcred: { url, headers: { Authorization: `Bearer \${env:${VARIABLE}}` } } },
    }),
    next: `Set the environment variable ${VARIABLE} to the token, then start Cursor from the same terminal.`,
  }),
  vsCode: (url) => ({
    where: IN_VS_CODE,
    text: json({
      inputs: [{ type: 'promptString', id: 'agentcred', description: 'AgentCred token', password: true }],
      servers: {
        agentcred: { type: 'http', url, headers: { Authorization: `Bearer \${input:agentcred}` } },
      },
    }),
    next: 'Start the server by the button above its name. VS Code asks for the token, and keeps it encrypted.',
  }),
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
