import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, refused, show, step } from './telling.ts'

/** Finds the service from its host alone, and an agent by what it is needed for. */
export async function discovery(baseUrl: string) {
  heading('Other software finds the service, and an agent by what it is needed for')
  const published = fetch(new URL('/.well-known/ard.json', baseUrl)).then((response) => response.json())
  const manifest = Object(await step('The host says what it publishes', published))
  for (const { type, url } of manifest.entries) show({ type, url })
  const card = fetch(`${baseUrl}/mcp/server-card`).then((response) => response.json())
  show(await step('Its MCP server says how it is called', card))
  const name = `Tide Watcher ${Date.now() % 100_000}`
  const description = 'Watches tides and warns of storm surges.'
  const body = { name, description, agentType: 'oracle' as const, supportedLayers: [15] }
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await step('An agent is offered', asOwner.call('POST /agents/register', { body }))

  const anyone = createClient({ baseUrl })
  const query = { text: `who can warn me of storms? ${name}` }
  const search = anyone.call('POST /ard/search', { body: { query, pageSize: 1 } })
  const [first] = (await step('It is found by the need', search)).results
  show({ displayName: first?.displayName, score: first?.score })
  const read = (identifier: string) => anyone.call('GET /ard/agents/{identifier}', { path: { identifier } })
  const entry = await step('Its entry is read by its identifier', read(String(first?.identifier)))
  show({ type: entry.type, url: entry.url, representativeQueries: entry.representativeQueries })
  const resultType = { facets: [{ field: 'capabilities' as const, limit: 3 }] }
  const counted = anyone.call('POST /ard/explore', { body: { query, resultType } })
  show((await step('What else there is is counted', counted)).facets)
  await refused('entry_not_found', 'Nothing is invented', read('urn:air:other.example:agent:x'))
}
