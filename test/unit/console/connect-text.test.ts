import { describe, expect, it } from 'vitest'
import { AI_CLIENTS, type AiClient, settingsOf } from '../../../lib/console/views/developer/connect-text.ts'

const URL = 'https://api.example.com/v1/mcp'
const TOKEN = 'aaa.bbb-ccc.ddd_eee'
const clients = Object.keys(AI_CLIENTS) as AiClient[]

describe('the settings of an AI client', () => {
  it.each(clients)('of %s name the server, and without a token no credentials', (client) => {
    const { where, text, next } = settingsOf(client, URL, undefined)
    expect(text).toContain(URL)
    expect([where, text, next].join()).not.toMatch(/Bearer|token|undefined/)
  })

  it('of Claude Code are one command, with the token in a header', () => {
    expect(settingsOf('claudeCode', URL, TOKEN).text).toBe(
      `claude mcp add --transport http agentcred ${URL} --header "Authorization: Bearer ${TOKEN}"`,
    )
  })

  it('of Claude Desktop have the header without a space in an argument, and the token in a variable', () => {
    expect(JSON.parse(settingsOf('claudeDesktop', URL, TOKEN).text)).toEqual({
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
    expect(JSON.parse(settingsOf('cursor', URL, TOKEN).text)).toEqual({
      mcpServers: {
        agentcred: { url: URL, headers: { Authorization: `Bearer \${env:AGENTCRED_TOKEN}` } },
      },
    })
    const { inputs, servers } = JSON.parse(settingsOf('vsCode', URL, TOKEN).text)
    expect(inputs).toMatchObject([{ type: 'promptString', id: 'agentcred', password: true }])
    expect(servers.agentcred).toEqual({
      type: 'http',
      url: URL,
      headers: { Authorization: `Bearer \${input:agentcred}` },
    })
    for (const client of ['cursor', 'vsCode'] as const)
      expect(JSON.stringify(settingsOf(client, URL, TOKEN))).not.toContain(TOKEN)
  })
})
