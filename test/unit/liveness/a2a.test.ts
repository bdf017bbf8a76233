import { afterEach, expect, it, vi } from 'vitest'
import { probeA2a } from '../../../lib/liveness/a2a.ts'

const URL_ASKED = 'https://agent.example.com/a2a'
const NOW = new Date('2026-11-27T12:00:00.000Z')

afterEach(() => vi.unstubAllGlobals())

const cardNamed = (name: string) =>
  JSON.stringify({
    ...{ name, description: 'Scouts.', version: '1.0.0', capabilities: {}, skills: [] },
    ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
    supportedInterfaces: [{ url: URL_ASKED, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  })

/** Probes a host that answers the request for its card so; every other request gets a 404. */
async function probe(known: { etag: string | null; card: string | null }, card: Response) {
  const asked: (string | null)[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (!String(url).endsWith('/agent-card.json')) return new Response(null, { status: 404 })
    asked.push(new Headers(init?.headers).get('if-none-match'))
    return card
  })
  const until = new Date(NOW.getTime() + 15_000)
  const deps = { clock: () => NOW, apiHost: 'api.agentcred.example', until }
  const { served } = await probeA2a(deps, { url: URL_ASKED, ...known })
  return { asked, name: served?.card ? JSON.parse(served.card).name : undefined, etag: served?.etag }
}

const old = { etag: '"1"', card: cardNamed('Old') }
const unchanged = () => new Response(null, { status: 304 })
const changed = () => new Response(cardNamed('New'), { headers: { etag: '"2"' } })

it('keeps a known card when the host says that it is unchanged', async () => {
  expect(await probe(old, unchanged())).toEqual({ asked: ['"1"'], name: 'Old', etag: '"1"' })
})

it('takes the new card when the known one has changed', async () => {
  expect(await probe(old, changed())).toEqual({ asked: ['"1"'], name: 'New', etag: '"2"' })
})

it('has no card when a host says "unchanged" and none is known', async () => {
  for (const known of [
    { etag: null, card: null },
    { etag: '"1"', card: null },
  ])
    expect((await probe(known, unchanged())).name).toBeUndefined()
})
