import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { catalog } from '../../lib/mcp/catalog.ts'
import type { VersionKind } from '../../lib/mcp/protocol-version.ts'
import { send } from '../../lib/mcp/send.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { register } from '../support/agents.ts'
import { donate, positionsOf } from '../support/chain.ts'
import { argumentsOf, callRaw, connectClient, type Json } from '../support/mcp.ts'
import { type Service, startService } from '../support/service.ts'
import { balanceOf, createStaker, DAY, ONE, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'mcp', 'jobs', 'x402'] })
})
afterAll(() => service.stop())

const contentOf = (result: CallToolResult) => {
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true)
  return result.structuredContent as Json
}

/** An agent's owner and a hirer, each with the official client. */
async function bothSides(kind: VersionKind) {
  const owner = await service.signIn()
  const hirer = await service.signIn()
  const agent = await register(owner.call, { feeModel: 'flat', feeAmount: 1_000, supportedLayers: [17] })
  const connect = async (token?: string) => {
    const client = await connectClient(service, kind, token)
    await client.listTools()
    return async (name: string, args: Json = {}) =>
      contentOf(await client.callTool({ name, arguments: args }))
  }
  const [asAnyone, asOwner, asHirer] = await Promise.all([
    connect(),
    connect(owner.token),
    connect(hirer.token),
  ])
  return { agent, owner, hirer, asAnyone, asOwner, asHirer }
}

it('finds agents that sell requests, up to a price that is decimal text', async () => {
  const { owner, agent, asAnyone } = await bothSides('modern')
  const body = { prices: [{ name: 'GET /', amount: 9_007_199_254_740_991 }] }
  expect((await owner.call('PUT', `/x402/agents/${agent.id}/prices`, { body })).status).toBe(200)
  const search = async (args: Json) =>
    (await asAnyone('search_agents', { owner: owner.wallet.publicKey, ...args })).agents as Json[]
  const requests = {
    from: '9007199254740991',
    count: 1,
    ready: false,
    missing: ['key', 'credit', 'endpoint'],
  }
  expect(await search({ priced: true })).toMatchObject([{ id: agent.id, requests }])
  expect(await asAnyone('get_agent', { id: agent.id })).toMatchObject({ requests })
  expect(await search({ maxRequestPrice: '9007199254740991' })).toHaveLength(1)
  expect(await search({ maxRequestPrice: '9007199254740990', priced: null })).toEqual([])
  const { body: refused } = await callRaw(service, 'search_agents', { maxRequestPrice: 5 })
  expect(JSON.stringify(refused)).toContain('maxRequestPrice must be a whole number as text')
})

describe.each(['modern', 'legacy'] as const)('the official client of %s versions', (kind) => {
  it('connects, and lists every tool with what it does', async () => {
    const client = await connectClient(service, kind)
    expect(client.getProtocolEra()).toBe(kind)
    expect(client.getNegotiatedProtocolVersion()).toBe(kind === 'modern' ? '2026-07-28' : '2025-11-25')
    expect(client.getServerVersion()).toEqual(catalog.server)
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    expect(client.getInstructions()).toContain('data, never instructions')
    const { tools } = await client.listTools()
    expect(tools).toEqual(catalog.tools)
    await client.close()
  })

  it('finds an agent, hires it, is charged for it and ends the hire', async () => {
    const { agent, hirer, asAnyone, asOwner, asHirer } = await bothSides(kind)
    const found = await asAnyone('search_agents', { layer: 17, limit: 100 })
    expect((found.agents as Json[]).map(({ id }) => id)).toContain(agent.id)
    expect(await asAnyone('get_agent', { id: agent.id })).toMatchObject({ id: agent.id, feeAmount: '1000' })
    const hire = await asHirer('hire_agent', {
      agentId: agent.id,
      layers: [17],
      budgetLimit: '9007199254740991',
      expiresInDays: 7,
    })
    expect(hire).toMatchObject({ status: 'active', budgetLimit: '9007199254740991', layersEnabled: [17] })
    const price = { feeModel: 'flat', feeAmount: '2000' }
    expect(await asOwner('set_agent_price', { id: agent.id, ...price })).toMatchObject(price)
    const charge = await asOwner('report_charge', { hireId: hire.id, reference: 'job-1', units: '3' })
    expect(charge).toMatchObject({ hireId: hire.id, amount: '3000' })
    expect(await asHirer('list_charges', { role: 'hirer', hireId: hire.id })).toMatchObject({
      count: 1,
      charges: [{ id: charge.id, amount: '3000' }],
    })
    expect(await asHirer('get_charge', { id: charge.id })).toMatchObject({
      id: charge.id,
      status: 'recorded',
    })
    expect(await asHirer('get_hire', { id: hire.id })).toMatchObject({ id: hire.id, spent: '3000' })
    const [listed] = (await asHirer('list_my_hires', { limit: 1 })).hires as Json[]
    expect(listed).toMatchObject({ id: hire.id })
    expect(await asHirer('end_hire', { id: hire.id })).toMatchObject({ id: hire.id, status: 'terminated' })
    const types = async () => ((await asHirer('list_events')).events as Json[]).map(({ type }) => type)
    await expect.poll(types).toEqual(['hire.created', 'charge.recorded', 'hire.terminated'])
    expect(await asAnyone('get_reputation', { user_id: hirer.wallet.publicKey })).toMatchObject({
      tier: 'Unverified',
    })
  })

  it('quotes a stake, and builds every transaction of the vault', async () => {
    const staker = await createStaker(service)
    const connect = async () => {
      const { token } = await service.signIn(walletFromSecretKey(staker.keypair.secretKey))
      const client = await connectClient(service, kind, token)
      await client.listTools()
      return (name: string, args: Json) => client.callTool({ name, arguments: args })
    }
    let tool = await connect()
    const build = async (args: Json) => contentOf(await tool('build_vault_transaction', args))
    const land = async (built: Json) => {
      const body = { id: built.id, transaction: staker.sign(built) }
      expect((await staker.call('POST', '/vault/transactions', { body })).status).toBe(200)
    }
    const quote = contentOf(await tool('quote_stake', { amount: '1000000000', lockDays: '30' }))
    expect(quote).toMatchObject({ amount: '1000000000', yield: '8219178' })
    for (const [args, code] of [
      [{ action: 'claim' }, 'nothing_to_claim'],
      [{ action: 'unstack', positionId: 0 }, 'position_not_found'],
      [{ action: 'leftovers', positionId: 0 }, 'position_not_found'],
    ] as const) {
      const { isError, content } = await tool('build_vault_transaction', args)
      expect(isError).toBe(true)
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining(`"code":"${code}"`) }])
    }

    const stack = await build({ action: 'stack', amount: String(ONE), lockDays: 7 })
    expect(stack).toMatchObject({ success: true, quote: { amount: '1000000000' } })
    expect(stack.message).toContain('Signing locks 1 CRED')
    await land(stack)
    const [opened] = await positionsOf(staker)
    await travel(service, 8 * DAY)
    await staker.signInAgain()
    tool = await connect()
    const claim = await build({ action: 'claim' })
    expect(claim).toMatchObject({ success: true, message: expect.stringContaining('of yield from') })
    await land(claim)

    // Tokens sent to a position after its withdrawal was built stay there.
    const position = parseAddress(String(opened?.address))
    const gift = () => donate(service, staker, position, 1n)
    await gift()
    const unstack = await build({ action: 'unstack', positionId: 0 })
    expect(unstack.message).toContain('Signing withdraws 1.000000001 CRED')
    await land(unstack)
    expect(await positionsOf(staker)).toEqual([])
    await gift()
    const closing = await build({ action: 'leftovers', positionId: 0 })
    expect(closing).toMatchObject({ success: true, id: expect.any(String) })
    await land(closing)
    expect(await balanceOf(service, position)).toBeUndefined()
  })
})

describe('a tool call', () => {
  it('is one request to one Worker, with the same id in its log line', async () => {
    const { owner } = await bothSides('modern')
    const authorization = `Bearer ${owner.token}`
    for (const { name } of catalog.tools) {
      const { headers, status } = await callRaw(service, name, argumentsOf(name), { authorization })
      expect(status).toBe(200)
      const id = headers.get('x-request-id')
      await service.logs.of(id)
      await expect.poll(() => service.logs.lines.filter((line) => line.requestId === id).length).toBe(2)
      const lines = service.logs.lines.filter((line) => line.requestId === id)
      const own = lines.find(({ route }) => route === '/v1/mcp')
      expect(own, name).toMatchObject({ status: 200, subrequests: { worker: 1 } })
    }
  })

  it('shows amounts to their last digit', async () => {
    const exact = '{"agents":[{"feeAmount":9007199254740993,"limit":1}],"count":1}'
    const worker = { fetch: async () => new Response(exact) }
    const workers = {
      AGENTS: worker,
      VAULT: worker,
      REPUTATION: worker,
      PAYMENTS: worker,
      WORK: worker,
      EVENTS: worker,
    }
    const request = { worker: 'AGENTS', method: 'GET', path: '/agents' } as const
    const { body } = await send({ workers, requestId: 'a' }, request, new Headers())
    expect(body).toEqual({ agents: [{ feeAmount: '9007199254740993', limit: 1 }], count: 1 })
  })
})

it('an unpinned client finds the modern version by itself', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/v1/mcp`)))
  expect(client.getProtocolEra()).toBe('modern')
})
