import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import canonicalize from 'canonicalize'
import { base64url, createRemoteJWKSet, flattenedVerify } from 'jose'
import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, hint, refused, show, step } from './output.ts'

/**
 * Gets the card of an agent that speaks A2A, and verifies its signature by the key that it names, as anyone
 * can.
 */
export async function cards(baseUrl: string) {
  heading('Other software reads how to use an agent')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const body = {
    name: 'Route Planner',
    description: 'Plans routes between cities.',
    agentType: 'autonomous' as const,
    supportedLayers: [10],
    apiEndpoint: 'https://planner.example.com/a2a',
    apiProtocol: 'a2a-jsonrpc' as const,
  }
  const registration = offerAgent(asDeveloper, body)
  const { id } = await step('An agent declares its endpoint’s protocol', registration)
  const path = { id }
  const read = (card: string) => fetch(`${baseUrl}/agents/${id}/${card}`)
  const a2aCard = read('agent-card.json').then((answer) => answer.json())
  const { signatures, ...card } = Object(await step('It has an A2A card', a2aCard))
  show(card)
  await step('Its signature is valid for the key set that it names', verify(card, signatures))
  const { code } = Object(await (await read('mcp-server-card')).json())
  show({ 'its MCP server card': code })
  const mcp = { apiProtocol: 'mcp' as const, apiEndpoint: 'https://planner.example.com/mcp' }
  await step('Until it speaks MCP', asDeveloper.call('PATCH /agents/{id}', { path, body: mcp }))
  const server = read('mcp-server-card').then((answer) => answer.json())
  show(await step('With the protocol mcp it has an MCP server card', server))
  const agent = await step(
    'The result of the last probe of its endpoint',
    asDeveloper.call('GET /agents/{id}', { path }),
  )
  show(agent.endpoint)
  const query = { endpoint: 'unknown' as const, q: 'route planner' }
  const unknown = asDeveloper.call('GET /agents', { query })
  show({ unknown: (await step('It is listed as not probed yet', unknown)).count })
  hint('a new endpoint is probed within four minutes; the local platform limits probes as it limits webhooks')
}

async function verify(card: object, signatures: { protected: string; signature: string }[]) {
  const [signature] = signatures
  if (signature === undefined) throw new Error('the card is not signed')
  const { jku } = JSON.parse(new TextDecoder().decode(base64url.decode(signature.protected)))
  const payload = base64url.encode(canonicalize(card) ?? '')
  return flattenedVerify({ ...signature, payload }, createRemoteJWKSet(new URL(jku)))
}

/** Finds the service from its host alone, and an agent by a description of the need. */
export async function discovery(baseUrl: string) {
  heading('Other software finds the service, and an agent for a purpose')
  const published = fetch(new URL('/.well-known/ard.json', baseUrl)).then((response) => response.json())
  const manifest = Object(await step('The host lists what it publishes', published))
  for (const { type, url } of manifest.entries) show({ type, url })
  const card = fetch(`${baseUrl}/mcp/server-card`).then((response) => response.json())
  show(await step('The MCP server publishes its address', card))
  const name = `Tide Watcher ${Date.now() % 100_000}`
  const description = 'Watches tides and warns of storm surges.'
  const body = { name, description, agentType: 'oracle' as const, supportedLayers: [15] }
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await step('An agent is offered', offerAgent(asOwner, body))

  const anyone = createClient({ baseUrl })
  const query = { text: `who can warn me of storms? ${name}` }
  const search = anyone.call('POST /ard/search', { body: { query, pageSize: 1 } })
  const [first] = (await step('A search for the purpose finds it', search)).results
  show({ displayName: first?.displayName, score: first?.score })
  const read = (identifier: string) => anyone.call('GET /ard/agents/{identifier}', { path: { identifier } })
  const entry = await step('Its identifier leads to its entry', read(String(first?.identifier)))
  show({ type: entry.type, url: entry.url, representativeQueries: entry.representativeQueries })
  const resultType = { facets: [{ field: 'capabilities' as const, limit: 3 }] }
  const counted = anyone.call('POST /ard/explore', { body: { query, resultType } })
  show((await step('The other agents are counted by type', counted)).facets)
  await refused('entry_not_found', 'Nothing is invented', read('urn:air:other.example:agent:x'))
}

/** Uses the service like a model: by MCP's official client, with a session that may only hire. */
export async function mcp(baseUrl: string) {
  heading('A model finds an agent and hires it')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const body = { name: 'Model scout', agentType: 'oracle' as const, supportedLayers: [15] }
  const agent = await offerAgent(asDeveloper, body)
  const hirer = createClient({ baseUrl, wallet: signerOf(createWallet()), permissions: ['agents:hire'] })
  const { sessionToken: token } = await hirer.login()
  const client = new Client(
    { name: 'agentcred-demo', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }))
  const { tools } = await client.listTools()
  show({ version: client.getNegotiatedProtocolVersion(), tools: tools.map(({ name }) => name) })
  const call = async (step: string, name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    const said = JSON.stringify(result.structuredContent ?? result.content)
    console.log(`  ${result.isError ? 'NO' : 'ok'}      ${step}`)
    if (result.isError) throw new Error(said)
    return Object(result.structuredContent) as Record<string, unknown>
  }
  await call('It is found', 'search_agents', { layer: 15, q: 'model scout' })
  const hire = await call('It is hired, within a budget', 'hire_agent', {
    agentId: agent.id,
    budgetLimit: '5000000000',
  })
  show({ id: hire.id, status: hire.status, budgetLimit: hire.budgetLimit })
  const staking = client.callTool({ name: 'build_vault_transaction', arguments: { action: 'claim' } })
  const isRefused = await staking.then(
    () => false,
    () => true,
  )
  if (!isRefused) throw new Error('a session without the permission could stake')
  console.log('  ok      This session has no permission to stake: a client with OAuth would ask for it')
  await call('The hire is ended', 'end_hire', { id: hire.id })
  await client.close()
}
