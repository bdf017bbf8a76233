import canonicalize from 'canonicalize'
import { base64url, createRemoteJWKSet, flattenedVerify } from 'jose'
import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, hint, show } from './telling.ts'

/**
 * An agent that speaks A2A gets a card; its signature is verified by the key that it names, as anyone can.
 */
export async function cards(baseUrl: string) {
  heading('Other software finds out how to use an agent')
  const anyone = createClient(baseUrl)
  const asDeveloper = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const agent = await expect(
    201,
    'An agent says what its endpoint speaks',
    asDeveloper('POST', '/agents/register', {
      name: 'Route Planner',
      description: 'Plans routes between cities.',
      agentType: 'autonomous',
      supportedLayers: [10],
      apiEndpoint: 'https://planner.example.com/a2a',
      apiProtocol: 'a2a-jsonrpc',
    }),
  )
  const path = `/agents/${agent.id}`
  const { signatures, ...card } = await expect(200, 'Its A2A card', anyone('GET', `${path}/agent-card.json`))
  show(card)
  await verify(card, signatures)
  console.log('  ok      Its signature verifies by the key set that it names')
  await expect(404, 'It has no MCP server card', anyone('GET', `${path}/mcp-server-card`))
  const mcp = { apiProtocol: 'mcp', apiEndpoint: 'https://planner.example.com/mcp' }
  await expect(200, 'Until it speaks MCP', asDeveloper('PATCH', path, mcp))
  show(await expect(200, 'Then it has', anyone('GET', `${path}/mcp-server-card`)))
  const read = await expect(200, 'What its endpoint was seen to answer', anyone('GET', path))
  show(read.endpoint)
  hint('a round looks at new endpoints every five minutes; the local platform lets them out as webhooks')
}

async function verify(card: object, signatures: unknown) {
  const [signature] = signatures as { protected: string; signature: string }[]
  if (signature === undefined) throw new Error('the card is not signed')
  const { jku } = JSON.parse(new TextDecoder().decode(base64url.decode(signature.protected)))
  const payload = base64url.encode(canonicalize(card) ?? '')
  await flattenedVerify({ ...signature, payload }, createRemoteJWKSet(new URL(jku)))
}
