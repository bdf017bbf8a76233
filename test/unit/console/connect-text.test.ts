import { describe, expect, it } from 'vitest'
import {
  LOGIN_CLIENTS,
  type LoginClient,
  loginSettingsOf,
  tokenSettingsOf,
} from '../../../lib/console/views/developer/connect-text.ts'

const URL = 'https://api.example.com/v1/mcp/wallet'
const TOKEN = 'aaa.bbb-ccc.ddd_eee'

describe('the settings of an AI client that logs in', () => {
  it.each(Object.keys(LOGIN_CLIENTS) as LoginClient[])(
    'name the server of %s, and no credentials',
    (client) => {
      const { where, text, next } = loginSettingsOf(client, URL)
      expect(text).toContain(URL)
      expect([where, text, next].join()).not.toMatch(/Bearer|token|undefined/)
    },
  )

  it('are a command, the URL, and the JSON that each editor reads', () => {
    expect(loginSettingsOf('claudeCode', URL).text).toBe(`claude mcp add --transport http agentcred ${URL}`)
    expect(loginSettingsOf('claude', URL).text).toBe(URL)
    expect(JSON.parse(loginSettingsOf('cursor', URL).text)).toEqual({
      mcpServers: { agentcred: { url: URL } },
    })
    expect(JSON.parse(loginSettingsOf('vsCode', URL).text)).toEqual({
      servers: { agentcred: { type: 'http', url: URL } },
    })
  })
})

describe('the settings of an AI client with a token', () => {
  it('of Claude Code are one command, with the token in a header', () => {
    expect(tokenSettingsOf('claudeCode', URL, TOKEN).text).toBe(
      `claude mcp add --transport http agentcred ${URL} --header "Authorization: Bearer ${TOKEN}"`,
    )
  })

  it('of Claude Desktop have the header without a space in an argument, and the token in a variable', () => {
    expect(JSON.parse(tokenSettingsOf('claudeDesktop', URL, TOKEN).text)).toEqual({
      mcpServers: {
        agentcred: {
          command: 'npx',
          args: ['-y', 'mcp-remote', URL, '--header', `Authorization:\${AUTH}`],
          env: { AUTH: `Bearer ${TOKEN}` },
        },
      },
    })
  })

  it('of Cursor and VS Code never have the token', () => {
    expect(JSON.parse(tokenSettingsOf('cursor', URL, TOKEN).text)).toEqual({
      mcpServers: {
        agentcred: { url: URL, headers: { Authorization: `Bearer \${env:AGENTCRED_TOKEN}` } },
      },
    })
    const { inputs, servers } = JSON.parse(tokenSettingsOf('vsCode', URL, TOKEN).text)
    expect(inputs).toMatchObject([{ type: 'promptString', id: 'agentcred', password: true }])
    expect(servers.agentcred).toEqual({
      type: 'http',
      url: URL,
      headers: { Authorization: `Bearer \${input:agentcred}` },
    })
    for (const client of ['cursor', 'vsCode'] as const)
      expect(JSON.stringify(tokenSettingsOf(client, URL, TOKEN))).not.toContain(TOKEN)
  })
})
