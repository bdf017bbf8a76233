import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../lib/liveness/manifest.ts'

const PUBLISHER = 'agentcred.example'
const HOST = 'scout.example.com'
const ID = '4d2f0000-0000-4000-8000-000000000001'
const OURS = `urn:air:${PUBLISHER}:agent:${ID}`
const a2a = { url: `https://${HOST}/a2a`, protocol: 'a2a-jsonrpc' } as const
const mcp = { url: `https://${HOST}/mcp/`, protocol: 'mcp' } as const

const entry = (changes: object = {}) => ({
  identifier: `urn:air:${HOST}:travel:scout`,
  displayName: 'Scout',
  type: 'application/a2a-agent-card+json',
  url: a2a.url,
  metadata: { agentcred: OURS },
  ...changes,
})
const read = (entries: unknown, endpoint: Parameters<typeof nameOf>[0] = a2a) =>
  nameOf(endpoint, JSON.stringify({ entries }), PUBLISHER)
const its = { identifier: `urn:air:${HOST}:travel:scout`, identifies: `agent:${ID}` }

describe('finds the identifier of an agent', () => {
  it.each([
    ['the endpoint', a2a, entry()],
    ['the endpoint, spelled otherwise', a2a, entry({ url: `HTTPS://${HOST.toUpperCase()}:443/a2a` })],
    ['the host’s A2A card', a2a, entry({ url: `https://${HOST}/.well-known/agent-card.json` })],
    ['the server card of MCP', mcp, entry({ url: `https://${HOST}/mcp/server-card` })],
    ['a card in it', a2a, entry({ url: undefined, data: { supportedInterfaces: [{ url: a2a.url }] } })],
    ['a server card in it', mcp, entry({ url: undefined, data: { remotes: [{ url: mcp.url }] } })],
  ])('in an entry that links to %s', (_what, endpoint, one) => {
    expect(read([{ identifier: 'urn:air:x.example:y:z', url: endpoint.url }, one], endpoint)).toEqual(its)
  })

  it('for an entry of the registry', () => {
    const key = base58.encode(new Uint8Array(32).fill(7))
    const metadata = { agentcred: `urn:air:${PUBLISHER}:registered:${key}` }
    expect(read([entry({ metadata })])?.identifies).toBe(`registered:${key}`)
  })
})

describe('finds no identifier in', () => {
  it.each([
    ['an entry that does not say which agent it is', [entry({ metadata: undefined })]],
    [
      'one that says another service’s',
      [entry({ metadata: { agentcred: 'urn:air:other.example:agent:1' } })],
    ],
    ['one that says what is no agent', [entry({ metadata: { agentcred: `urn:air:${PUBLISHER}:mcp:x` } })]],
    ['one that says what is no id', [entry({ metadata: { agentcred: `${OURS}${'0'.repeat(9_000)}` } })]],
    ['one that says more than an id', [entry({ metadata: { agentcred: `${OURS}:x` } })]],
    ['one that leads elsewhere', [entry({ url: 'https://elsewhere.example.com/a2a' })]],
    ['one that leads to another path', [entry({ url: `https://${HOST}/other` })]],
    ['one that leads nowhere', [entry({ url: undefined })]],
    [
      'a card of another endpoint',
      [entry({ url: undefined, data: { supportedInterfaces: [{ url: 'x' }] } })],
    ],
    ['two entries', [entry(), entry({ identifier: `urn:air:${HOST}:travel:other` })]],
    ['another domain’s identifier', [entry({ identifier: 'urn:air:google.com:travel:scout' })]],
    ['the parent domain’s', [entry({ identifier: 'urn:air:example.com:travel:scout' })]],
    ['a subdomain’s', [entry({ identifier: `urn:air:sub.${HOST}:travel:scout` })]],
    ['ours', [entry({ identifier: OURS })]],
    ['no identifier', [entry({ identifier: undefined })]],
    ['one of another scheme', [entry({ identifier: `urn:ai:${HOST}:travel:scout` })]],
    ['one with white space', [entry({ identifier: `urn:air:${HOST}:travel:scout\n` })]],
    ['one that is too long', [entry({ identifier: `urn:air:${HOST}:${'x'.repeat(300)}` })]],
    ['a list that is none', { 0: entry() }],
    ['entries that are none', [null, 'x', [], 7]],
  ])('%s', (_what, entries) => {
    expect(read(entries)).toBeUndefined()
  })

  it('a text that is not a manifest', () => {
    for (const text of ['', 'null', '[]', '{"entries"', '"entries"']) {
      expect(nameOf(a2a, text, PUBLISHER)).toBeUndefined()
    }
  })

  it('an identifier of the service’s own domain', () => {
    const endpoint = { url: `https://${PUBLISHER}/a2a`, protocol: 'http' } as const
    const one = entry({ identifier: `urn:air:${PUBLISHER}:agent:other`, url: endpoint.url })
    expect(read([one], endpoint)).toBeUndefined()
  })
})
