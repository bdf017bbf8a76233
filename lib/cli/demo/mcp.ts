import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, show } from './telling.ts'

/** Uses the service as a model does: by MCP's official client, with a session that may only hire. */
export async function mcp(baseUrl: string) {
  heading('A model finds an agent and hires it')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const body = { name: 'Model scout', agentType: 'oracle' as const, supportedLayers: [15] }
  const agent = await asDeveloper.call('POST /agents/register', { body })
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
  const call = async (step: string, name: string, args: Record<string, unknown>, fails = false) => {
    const result = await client.callTool({ name, arguments: args })
    const said = JSON.stringify(result.structuredContent ?? result.content)
    console.log(`  ${(result.isError ?? false) === fails ? 'ok' : 'NO'}      ${step}`)
    if ((result.isError ?? false) !== fails) throw new Error(said)
    return Object(result.structuredContent) as Record<string, unknown>
  }
  await call('It is found', 'search_agents', { layer: 15, q: 'model scout' })
  const hire = await call('It is hired, within a budget', 'hire_agent', {
    agentId: agent.id,
    budgetLimit: '5000000000',
  })
  show({ id: hire.id, status: hire.status, budgetLimit: hire.budgetLimit })
  await call('Staking is more than this session may', 'build_vault_transaction', { action: 'claim' }, true)
  await call('The hire is ended', 'end_hire', { id: hire.id })
  await client.close()
}
