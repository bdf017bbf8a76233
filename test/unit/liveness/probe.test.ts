import { afterEach, expect, it } from 'vitest'
import { probe } from '../../../lib/liveness/probe.ts'
import { NO_CARD, NO_NAME, type ProbeState } from '../../../lib/liveness/probe-state.ts'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

const now = new Date('2026-11-20T12:00:00Z')
const deps = {
  clock: () => now,
  apiHost: 'api.agentcred.example',
  publisher: 'agentcred.example',
  until: new Date(now.getTime() + 15_000),
}
const known: ProbeState = {
  ...NO_CARD,
  identifier: 'urn:air:agent.example.com:travel:scout',
  identifies: 'agent:4d2f0000-0000-4000-8000-000000000001',
  manifestEtag: '"known"',
  status: 'live',
  checkedAt: now,
  latencyMs: 1,
  isAuthRequired: false,
  failingSince: null,
  failures: 0,
  countedDay: 0,
  dayChecks: [],
  daySuccesses: [],
  uptime30d: 1,
  robotsReadAt: null,
  isOptedOut: false,
  nextProbeAt: now,
}

it.each([
  ['removes the name', 200, NO_NAME],
  ['removes the name', 300, NO_NAME],
  ['keeps the name', 304, undefined],
  ['removes the name', 404, NO_NAME],
  ['removes the name', 428, NO_NAME],
  ['keeps the name', 429, undefined],
  ['keeps the name', 500, undefined],
  ['keeps the name', 503, undefined],
])('%s of a host when its ard.json is answered with %i', async (_, status, published) => {
  globalThis.fetch = async (input) =>
    String(input).endsWith('/ard.json')
      ? new Response(status === 304 ? null : '{}', { status })
      : new Response(null, { status: 404 })
  const endpoint = { url: 'https://agent.example.com/x', protocol: 'http' as const, isUsed: true }
  expect((await probe(deps, { ...known, ...endpoint })).published).toEqual(published)
})
