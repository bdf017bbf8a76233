import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { rowsOf } from '../support/chain.ts'
import { createAgent, createHirer } from '../support/payer.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { DAY, travel } from '../support/staker.ts'

/* Agents that nobody uses: found neither by words nor by layer, and found again once they are used. */

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const runJobs = () => service.runJob('daily')
const list = async (query: string) =>
  ((await service.call('GET', `/agents?limit=100&${query}`)).body.agents as Body[]).map(({ id }) => id).sort()
const search = async (text: string) =>
  (
    (await service.call('POST', '/ard/search', { body: { query: { text }, pageSize: 100 } })).body
      .results as Body[]
  )
    .map(({ identifier }) => String(identifier).split(':').at(-1))
    .sort()
const searchByTool = async (q: string) => {
  const call = { name: 'search_agents', arguments: { q, limit: 100 } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const headers = { accept: 'application/json, text/event-stream' }
  const { body: answer } = await service.call('POST', '/mcp', { body, headers })
  const { structuredContent } = answer.result as { structuredContent: { agents: Body[] } }
  return structuredContent.agents.map(({ id }) => id).sort()
}
/** Counts an agent's rows in the tables that anybody can fill at no cost. */
const rows = async (id: string) => {
  const [counts] = await rowsOf(
    service,
    `select (select count(*) from document_words where key = $1::text), (select count(*) from documents where key = $1::text),
       (select count(*) from agent_listings where agent_id = $1::uuid)`,
    id,
  )
  return counts?.map(Number)
}

const zebras = {
  ...{ name: 'Zebra counter', description: 'Counts quaggas', supportedLayers: [3, 4] },
  ...{ apiEndpoint: 'https://zebra.example.com/mcp', apiProtocol: 'mcp' },
}

it('reduces agents of wallets that never return to a row and one listing', async () => {
  const spam: string[] = []
  for (let wallet = 0; wallet < 4; wallet++) {
    const { call } = await service.signIn()
    for (let n = 0; n < 5; n++) spam.push((await register(call, zebras)).id)
  }
  const returning = createWallet()
  const { owner, agentId: paid } = await createAgent(service)
  const { hireId } = await createHirer(service, paid, 1_000)
  await owner.charge(hireId, 100)
  await owner.land(owner.collect(), { signsFirst: true })
  const used = await register((await service.signIn(returning)).call, zebras)
  const hired = await register((await service.signIn()).call, zebras)
  const all = [...spam, used.id, hired.id].sort()
  expect(await list('q=zebra')).toEqual(all)
  expect(await list('layer=4')).toEqual(all)
  expect(await search('counts quaggas')).toEqual(all)
  const before = await rows(used.id)

  await travel(service, 20 * DAY)
  await service.signIn(returning)
  await (await service.signIn()).call('POST', '/agents/hire', { body: { agentId: hired.id } })
  await travel(service, 11 * DAY)
  await runJobs()
  for (const id of spam) expect(await rows(id)).toEqual([0, 0, 1])
  expect(await rows(used.id)).toEqual(before)
  const honest = [used.id, hired.id].sort()
  for (const query of ['q=zebra', 'q=quaggas', 'q=zebra&layer=4', 'layer=4', 'layer=4&endpoint=unknown'])
    expect(await list(query), query).toEqual(honest)
  expect(await search('counts quaggas')).toEqual(honest)
  expect(await searchByTool('zebra')).toEqual(honest)
  // A payment lists an agent for 30 days, as a hire does.
  expect(await list('q=test')).toEqual([])
  expect(await list('layer=17')).toEqual([])
  // They are active, and stand in every other list.
  expect(await list('')).toEqual([...all, paid].sort())
  expect(await list('endpoint=unknown')).toEqual(all)
  const [one, other] = spam as [string, string]
  const { body: agent } = await service.call('GET', `/agents/${one}`)
  expect(agent).toMatchObject({ status: 'active' })
  expect((await list(`owner=${agent.pubkey}`)).length).toBe(5)
  for (const query of ['q=zebra', 'layer=4']) expect(await list(`owner=${agent.pubkey}&${query}`)).toEqual([])
  const { status } = await (await service.signIn()).call('POST', '/agents/hire', { body: { agentId: one } })
  expect(status).toBe(201)
  expect(await list('q=zebra')).toEqual([...honest, one].sort())
  expect(await list('layer=4')).not.toContain(other)
})

it('lists the agents again when their wallet returns after two months', async () => {
  const wallet = createWallet()
  const { call } = await service.signIn(wallet)
  const okapi = { name: 'Okapi counter', supportedLayers: [9] }
  const agents = [await register(call, okapi), await register(call, okapi)].map(({ id }) => id)
  const paused = await register(call, okapi)
  await call('PATCH', `/agents/${paused.id}`, { body: { status: 'inactive' } })
  await travel(service, 31 * DAY)
  await runJobs()
  expect(await list('q=okapi&status=all')).toEqual([])
  await travel(service, 30 * DAY)
  await runJobs()
  const back = await service.signIn(wallet)
  expect(await list('q=okapi')).toEqual(agents.sort())
  expect(await list('layer=9')).toEqual(agents)
  expect(await search('okapi')).toEqual(agents)
  await back.call('PATCH', `/agents/${paused.id}`, { body: { status: 'active', description: 'Rests' } })
  expect(await list('q=rests')).toEqual([paused.id])
  // The job run gives them the date of that login.
  await runJobs()
  expect((await list('q=okapi')).length).toBe(3)
  await travel(service, 30 * DAY)
  await runJobs()
  expect(await list('q=okapi')).toEqual([])
})
