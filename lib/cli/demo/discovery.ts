import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, show } from './telling.ts'

/** Finds the service from its host alone, and an agent by what it is needed for. */
export async function discovery(baseUrl: string) {
  heading('Other software finds the service, and an agent by what it is needed for')
  const host = createClient(new URL(baseUrl).origin)
  const manifest = await expect(200, 'The host says what it publishes', host('GET', '/.well-known/ard.json'))
  const [registry] = manifest.entries as { identifier: string; url: string }[]
  show(registry)
  const asOwner = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const name = `Tide Watcher ${Date.now() % 100_000}`
  const description = 'Watches tides and warns of storm surges.'
  const offer = { name, description, agentType: 'oracle', supportedLayers: [15] }
  await expect(201, 'An agent is offered', asOwner('POST', '/agents/register', offer))
  const ard = createClient(`${baseUrl}/ard`)
  const need = { query: { text: `who can warn me of storms? ${name}` }, pageSize: 1 }
  const found = await expect(200, 'It is found by the need', ard('POST', '/search', need))
  const [first] = found.results as { identifier: string; displayName: string; score: number }[]
  show({ displayName: first?.displayName, score: first?.score })
  const path = `/agents/${encodeURIComponent(String(first?.identifier))}`
  const entry = await expect(200, 'Its entry is read by its identifier', ard('GET', path))
  show({ type: entry.type, url: entry.url, representativeQueries: entry.representativeQueries })
  const counts = { query: need.query, resultType: { facets: [{ field: 'capabilities', limit: 3 }] } }
  show((await expect(200, 'What else there is is counted', ard('POST', '/explore', counts))).facets)
  await expect(404, 'Nothing is invented', ard('GET', '/agents/urn%3Aair%3Aother.example%3Aagent%3Ax'))
}
