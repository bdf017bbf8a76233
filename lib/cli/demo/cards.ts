import canonicalize from 'canonicalize'
import { base64url, createRemoteJWKSet, flattenedVerify } from 'jose'
import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, hint, show, step } from './telling.ts'

/**
 * An agent that speaks A2A gets a card; its signature is verified by the key that it names, as anyone can.
 */
export async function cards(baseUrl: string) {
  heading('Other software finds out how to use an agent')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const body = {
    name: 'Route Planner',
    description: 'Plans routes between cities.',
    agentType: 'autonomous' as const,
    supportedLayers: [10],
    apiEndpoint: 'https://planner.example.com/a2a',
    apiProtocol: 'a2a-jsonrpc' as const,
  }
  const registration = asDeveloper.call('POST /agents/register', { body })
  const { id } = await step('An agent says what its endpoint speaks', registration)
  const path = { id }
  const read = (card: string) => fetch(`${baseUrl}/agents/${id}/${card}`)
  const a2aCard = read('agent-card.json').then((answer) => answer.json())
  const { signatures, ...card } = Object(await step('It has an A2A card', a2aCard))
  show(card)
  await step('The signature verifies by the key set that it names', verify(card, signatures))
  const { code } = Object(await (await read('mcp-server-card')).json())
  show({ 'its MCP server card': code })
  const mcp = { apiProtocol: 'mcp' as const, apiEndpoint: 'https://planner.example.com/mcp' }
  await step('Until it speaks MCP', asDeveloper.call('PATCH /agents/{id}', { path, body: mcp }))
  const server = read('mcp-server-card').then((answer) => answer.json())
  show(await step('Then it has an MCP server card', server))
  const agent = await step(
    'What its endpoint was seen to answer',
    asDeveloper.call('GET /agents/{id}', { path }),
  )
  show(agent.endpoint)
  const query = { endpoint: 'unknown' as const, q: 'route planner' }
  const unknown = asDeveloper.call('GET /agents', { query })
  show({ unknown: (await step('It is among those not looked at yet', unknown)).count })
  hint('a round looks at new endpoints every five minutes; the local platform lets them out as webhooks')
}

async function verify(card: object, signatures: { protected: string; signature: string }[]) {
  const [signature] = signatures
  if (signature === undefined) throw new Error('the card is not signed')
  const { jku } = JSON.parse(new TextDecoder().decode(base64url.decode(signature.protected)))
  const payload = base64url.encode(canonicalize(card) ?? '')
  return flattenedVerify({ ...signature, payload }, createRemoteJWKSet(new URL(jku)))
}
