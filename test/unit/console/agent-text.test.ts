import { expect, it } from 'vitest'
import {
  AGENT_LANGUAGES,
  type AgentLanguage,
  agentProgramOf,
} from '../../../lib/console/views/developer/agent-text.ts'

const login = {
  url: 'https://api.example.com/v1/mcp/wallet',
  issuer: 'https://api.example.com',
  clientId: 'aaa.bbb-ccc.ddd_eee',
}

it.each(Object.keys(AGENT_LANGUAGES) as AgentLanguage[])(
  'names the server, the issuer and the client in the program in %s, and no key',
  (language) => {
    const { file, start, text } = agentProgramOf(language, login)
    expect(start).toMatch(new RegExp(` ${file}$`))
    expect(text).toMatch(/(["'])https:\/\/api\.example\.com\/v1\/mcp\/wallet\1/)
    expect(text).toMatch(/(["'])https:\/\/api\.example\.com\1/)
    expect(text).toMatch(/(["'])aaa\.bbb-ccc\.ddd_eee\1/)
    expect(text).toMatch('agent-key.json')
    expect(text).not.toMatch(/undefined|"d"|PRIVATE KEY/)
  },
)
