import { afterEach, expect, it, vi } from 'vitest'
import { type AskDeps, MAX_BODY_BYTES } from '../../../lib/liveness/ask.ts'
import { cardStatusOf } from '../../../lib/liveness/card-signature.ts'
import { nameOf } from '../../../lib/liveness/manifest.ts'
import { probeMcp } from '../../../lib/liveness/mcp.ts'
import { cardFor } from '../../../lib/liveness/own-card.ts'

afterEach(() => vi.restoreAllMocks())

/* The work on a stranger's document is proportional to its length (for robots.txt: robots.test.ts). */

/** The longest URL that an endpoint may have. */
const URL_ASKED = `https://scout.example.com/${'x'.repeat(1_974)}`
const NOW = new Date('2026-11-20T12:00:00Z')

/** Counts the characters that a function of the language is given. */
function counted(object: object, method: string): { characters: number; calls: number } {
  const count = { characters: 0, calls: 0 }
  const original = Reflect.get(object, method) as (...args: unknown[]) => unknown
  vi.spyOn(object as Record<string, () => unknown>, method).mockImplementation((...args: unknown[]) => {
    count.calls += 1
    count.characters += typeof args[0] === 'string' ? args[0].length : 0
    return original.apply(object, args)
  })
  return count
}

/** As many places as a document of this length has room for. */
const places = (bytes: number) => Array.from({ length: Math.floor(bytes / 12) - 50 }, () => ({ url: 'a:' }))

it('parses an endpoint’s URL a few times for many URLs in ard.json', () => {
  const entry = {
    identifier: 'urn:air:scout.example.com:travel:scout',
    metadata: { agentcred: 'urn:air:agentcred.example:agent:4d2f0000-0000-4000-8000-000000000001' },
    data: { remotes: places(MAX_BODY_BYTES) },
  }
  const text = JSON.stringify({ entries: [entry] })
  const parsed = counted(URL, 'parse')
  nameOf({ url: URL_ASKED, protocol: 'mcp' }, text, 'agentcred.example')
  expect(parsed.calls).toBeGreaterThan(5_000)
  expect(parsed.characters).toBeLessThan(text.length + 4 * URL_ASKED.length)
})

it('parses an endpoint’s URL a few times for many interfaces in a card', () => {
  const lists = { skills: [], defaultInputModes: [], defaultOutputModes: [] }
  const card = { name: 'a', description: 'a', version: '1', capabilities: {}, ...lists }
  const text = JSON.stringify({ ...card, supportedInterfaces: places(16 * 1024) })
  const parsed = counted(URL, 'parse')
  expect(cardFor(URL_ASKED, text)).toBeUndefined()
  expect(parsed.calls).toBeGreaterThan(1_000)
  expect(parsed.characters).toBeLessThan(text.length + 4 * URL_ASKED.length)
})

it('verifies at most eight signatures for many keys and signatures', async () => {
  const { publicKey } = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), alg: 'EdDSA' }
  const jku = 'https://scout.example.com/keys'
  const signatureBy = (kid: string) => ({
    protected: btoa(JSON.stringify({ alg: 'EdDSA', kid, jku })).replaceAll('=', ''),
    signature: 'A'.repeat(86),
  })
  const kids = Array.from({ length: 200 }, (_, i) => `key-${i}`)
  const keys = JSON.stringify({ keys: kids.map((kid) => ({ ...jwk, kid })) })
  const verified = counted(crypto.subtle, 'verify')
  const status = await cardStatusOf({ name: 'a', signatures: kids.map(signatureBy) }, jku, async () => keys)
  expect(status).toBe('signed')
  expect(verified.calls).toBe(8)
})

it('parses an answer of events at most three times for many messages', async () => {
  const text = 'data:{"id":0}\n'.repeat(MAX_BODY_BYTES / 14)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(text))
  const deps = {
    clock: () => NOW,
    apiHost: 'api.agentcred.example',
    until: new Date(NOW.getTime() + 15_000),
  } as AskDeps
  const parsed = counted(JSON, 'parse')
  expect(await probeMcp(deps, URL_ASKED)).toEqual({ kind: 'failed' })
  // Two methods are asked.
  expect(parsed.calls).toBeGreaterThan(4_000)
  expect(parsed.characters).toBeLessThan(2 * 3 * text.length)
})
