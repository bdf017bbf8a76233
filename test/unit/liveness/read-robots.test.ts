import { afterEach, expect, it } from 'vitest'
import { readRobotsText } from '../../../lib/liveness/read-robots.ts'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

const now = new Date('2026-11-20T12:00:00Z')
const deps = { clock: () => now, apiHost: 'api.agentcred.example', until: new Date(now.getTime() + 15_000) }

const RULES = 'user-agent: AgentCred-Probe\ndisallow: /'

it.each([
  ['its text', 200, RULES],
  ['its text', 299, RULES],
  // RFC 9309, 2.3.1: a client error means that there are no rules, a server error that they are unknown.
  ['no rules', 300, ''],
  ['no rules', 404, ''],
  ['no rules', 428, ''],
  ['nothing', 429, undefined],
  ['nothing', 500, undefined],
  ['nothing', 503, undefined],
])('returns %s when robots.txt is answered with %i', async (_, status, text) => {
  globalThis.fetch = async () => new Response(RULES, { status })
  expect(await readRobotsText(deps, 'https://agent.example.com/x')).toBe(text)
})
