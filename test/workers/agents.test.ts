import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { refusedPaths, register, registration } from '../support/agents.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

const operatorWallet = createWallet()
let service: Service
let owner: { wallet: { publicKey: string }; call: Call }
let stranger: { call: Call }
let operator: { call: Call }
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents'],
    bindings: { OPERATOR_WALLETS: operatorWallet.publicKey },
  })
  owner = await service.signIn()
  stranger = await service.signIn()
  operator = await service.signIn(operatorWallet)
})
afterAll(() => service.stop())

const UNKNOWN_ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
const submit = (changes: Body) => owner.call('POST', '/agents/register', { body: registration(changes) })

describe('registering an agent', () => {
  it('returns the agent with default values, owned by the session’s wallet', async () => {
    const answer = await submit({})
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/agents/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      pubkey: owner.wallet.publicKey,
      name: 'Test agent',
      agentType: 'autonomous',
      supportedLayers: [1, 10, 17],
      feeModel: 'percentage',
      feeAmount: 500,
      reputationScore: 0,
      ratings: 0,
      ratingsWeight: 0,
      totalHires: 0,
      status: 'active',
      registeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('counts a name’s characters, not its bytes or UTF-16 units', async () => {
    for (const name of ['ab', '🤖🤖', `${'x'.repeat(33)}`, '🤖'.repeat(33), '  ab  ']) {
      expect(refusedPaths(await submit({ name }))).toEqual(['name'])
    }
    for (const name of ['abc', '🤖🤖🤖', 'x'.repeat(32), '🤖'.repeat(32)]) {
      expect((await submit({ name })).body.name).toBe(name)
    }
    expect((await submit({ name: '  trimmed ' })).body.name).toBe('trimmed')
  })

  it('rejects layers outside 1 to 22 and merges duplicates', async () => {
    for (const layer of [0, 23, 1.5, '1', null, -1]) {
      expect(refusedPaths(await submit({ supportedLayers: [1, layer] }))).toEqual(['supportedLayers.1'])
    }
    expect(refusedPaths(await submit({ supportedLayers: [] }))).toEqual(['supportedLayers'])
    expect(refusedPaths(await submit({ supportedLayers: '1' }))).toEqual(['supportedLayers'])
    expect((await submit({ supportedLayers: [22, 1, 22, 1] })).body.supportedLayers).toEqual([1, 22])
  })

  it('rejects a fee above 100 percent, and amounts that are not exact integers', async () => {
    expect(refusedPaths(await submit({ feeAmount: 10_001 }))).toEqual(['feeAmount'])
    expect((await submit({ feeAmount: 10_000 })).status).toBe(201)
    expect((await submit({ feeModel: 'flat', feeAmount: Number.MAX_SAFE_INTEGER })).text).toContain(
      '"feeAmount":9007199254740991',
    )
    for (const feeAmount of [-1, 1.5, '500', 2 ** 53, 1e21, null]) {
      expect(refusedPaths(await submit({ feeModel: 'hybrid', feeAmount }))).toEqual(['feeAmount'])
    }
  })

  it('rejects unknown values and unknown fields by name', async () => {
    expect(refusedPaths(await submit({ agentType: 'robot' }))).toEqual(['agentType'])
    expect(refusedPaths(await submit({ feeModel: 'free' }))).toEqual(['feeModel'])
    expect((await submit({ feeamount: 1 })).body.errors).toEqual([
      { path: 'feeamount', message: 'is not a field of this request' },
    ])
    const answer = await owner.call('POST', '/agents/register', { body: {} })
    expect(refusedPaths(answer)).toEqual(['name', 'agentType', 'supportedLayers'])
  })

  it('accepts only public https URLs as webhookUrl, and shows it only to the owner', async () => {
    for (const webhookUrl of [
      'http://hooks.example.com/a',
      'javascript:alert(1)',
      'https://localhost/a',
      'https://127.0.0.1/a',
      'https://10.0.0.8/a',
      'https://0x7f.1/a',
      'https://[::1]/a',
      'https://service.internal/a',
      'https://user:pw@hooks.example.com/a',
      'https://hooks.example.com:8443/a',
      'not a url',
    ]) {
      expect(refusedPaths(await submit({ webhookUrl })), webhookUrl).toEqual(['webhookUrl'])
    }
    const agent = await register(owner.call, { webhookUrl: 'https://hooks.example.com/secret' })
    expect(agent.webhookUrl).toBe('https://hooks.example.com/secret')
    expect((await service.call('GET', `/agents/${agent.id}`)).text).not.toContain('secret')
    expect((await service.call('GET', '/agents?limit=100')).text).not.toContain('secret')
  })

  it('accepts http(s) as apiEndpoint, and http(s), ipfs and ar as logoUrl', async () => {
    const agent = await register(owner.call, {
      apiEndpoint: 'http://agent.example.com:9000/mcp',
      logoUrl: 'ar://abc',
    })
    expect(agent).toMatchObject({ apiEndpoint: 'http://agent.example.com:9000/mcp', logoUrl: 'ar://abc' })
    expect(refusedPaths(await submit({ apiEndpoint: 'ftp://agent.example.com' }))).toEqual(['apiEndpoint'])
    expect(refusedPaths(await submit({ logoUrl: 'data:image/png;base64,AA' }))).toEqual(['logoUrl'])
  })

  it('returns the description and the endpoint’s protocol after the owner changes them', async () => {
    const said = { description: 'Finds yield.', apiEndpoint: 'https://a.example.com/', apiProtocol: 'http' }
    const { id } = await register(owner.call, said)
    expect((await service.call('GET', `/agents/${id}`)).body).toMatchObject(said)
    const patch = (body: Body) => owner.call('PATCH', `/agents/${id}`, { body })
    expect((await patch({ apiProtocol: 'mcp' })).body).toMatchObject({ ...said, apiProtocol: 'mcp' })
    const { body } = await patch({ description: null, apiProtocol: null })
    expect(body).not.toHaveProperty('description')
    expect(body).not.toHaveProperty('apiProtocol')
    expect(body.apiEndpoint).toBe(said.apiEndpoint)
    expect(refusedPaths(await submit({ description: 'x'.repeat(501) }))).toEqual(['description'])
    expect(refusedPaths(await submit({ apiProtocol: 'grpc' }))).toEqual(['apiProtocol'])
  })

  it('rejects text that Postgres or a terminal cannot handle', async () => {
    for (const name of ['nul\u0000byte', 'escape\u001b[31m', 'lone \ud800 half']) {
      const raw = JSON.stringify(registration({ name }))
      const answer = await owner.call('POST', '/agents/register', {
        raw,
        headers: { 'content-type': 'application/json' },
      })
      expect(refusedPaths(answer)).toEqual(['name'])
    }
  })

  it('accepts many agents of one name', async () => {
    const [a, b] = await Promise.all([register(owner.call), register(owner.call)])
    expect(a.id).not.toBe(b.id)
  })
})

describe('reading an agent', () => {
  it('returns the same from every operation, by id in any case', async () => {
    const agent = await register(owner.call)
    const read = await service.call('GET', `/agents/${agent.id.toUpperCase()}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(agent)
  })

  it('returns 404 for an unknown id', async () => {
    expect((await service.call('GET', `/agents/${UNKNOWN_ID}`)).body.code).toBe('agent_not_found')
    expect((await service.call('GET', '/agents/not-a-uuid')).body.code).toBe('unknown_path')
  })

  it('returns 304 while nothing has changed, then the new state', async () => {
    const agent = await register(owner.call)
    const first = await service.call('GET', `/agents/${agent.id}`)
    const etag = String(first.headers.get('etag'))
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await service.call('GET', `/agents/${agent.id}`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
    await owner.call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    const changed = await service.call('GET', `/agents/${agent.id}`, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.body.status).toBe('inactive')
  })
})

describe('changing an agent', () => {
  const patch = (call: Call, id: string, body: Body) => call('PATCH', `/agents/${id}`, { body })

  it('lets the owner switch between active and inactive and change or remove URLs', async () => {
    const { id } = await register(owner.call, { logoUrl: 'https://a.example.com/l.png' })
    expect((await patch(owner.call, id, { status: 'inactive' })).body.status).toBe('inactive')
    expect((await patch(owner.call, id, { status: 'active' })).body.status).toBe('active')
    const changed = await patch(owner.call, id, { logoUrl: null, webhookUrl: 'https://a.example.com/h' })
    expect(changed.body).not.toHaveProperty('logoUrl')
    expect(changed.body.webhookUrl).toBe('https://a.example.com/h')
    expect(changed.body.status).toBe('active')
  })

  it('returns 404 for another wallet and for an unknown id', async () => {
    const { id } = await register(owner.call)
    expect((await patch(stranger.call, id, { status: 'inactive' })).status).toBe(404)
    expect((await patch(owner.call, UNKNOWN_ID, { status: 'inactive' })).status).toBe(404)
    expect((await service.call('GET', `/agents/${id}`)).body.status).toBe('active')
  })

  it('lets an operator suspend with a reason and lift to inactive, and nothing else', async () => {
    const { id } = await register(owner.call)
    expect(refusedPaths(await patch(operator.call, id, { status: 'suspended' }))).toEqual(['reason'])
    expect(refusedPaths(await patch(owner.call, id, { status: 'inactive', reason: 'x' }))).toEqual(['reason'])
    const suspended = await patch(operator.call, id, { status: 'suspended', reason: 'Spam' })
    expect(suspended.body).toMatchObject({ status: 'suspended', statusReason: 'Spam' })
    expect((await patch(owner.call, id, { status: 'active' })).body.code).toBe('agent_suspended')
    expect((await patch(owner.call, id, { logoUrl: 'https://a.example.com/l' })).status).toBe(200)
    expect((await patch(operator.call, id, { status: 'active' })).status).toBe(403)
    const lifted = await patch(operator.call, id, { status: 'inactive' })
    expect(lifted.body.status).toBe('inactive')
    expect(lifted.body).not.toHaveProperty('statusReason')
    expect((await patch(operator.call, id, { status: 'inactive' })).status).toBe(403)
    expect((await patch(operator.call, id, { logoUrl: null })).status).toBe(403)
    expect((await patch(owner.call, id, { status: 'suspended', reason: 'me' })).status).toBe(403)
  })

  it('sets a new price, which lists and filters use at once', async () => {
    const { id } = await register(owner.call, { supportedLayers: [21] })
    const price = { feeModel: 'flat', feeAmount: 2_000_000_000 }
    expect((await patch(owner.call, id, price)).body).toMatchObject(price)
    expect((await service.call('GET', `/agents/${id}`)).body).toMatchObject(price)
    const ids = async (feeModel: string) => {
      const { body } = await service.call('GET', `/agents?layer=21&feeModel=${feeModel}`)
      return (body.agents as { id: string }[]).map((agent) => agent.id)
    }
    expect(await ids('flat')).toContain(id)
    expect(await ids('percentage')).not.toContain(id)
  })

  it('rejects half a price, a share above 100 percent, and a price by another wallet', async () => {
    const { id } = await register(owner.call)
    for (const half of [
      { feeModel: 'flat' },
      { feeAmount: 5 },
      { feeModel: 'percentage', feeAmount: 10_001 },
    ])
      expect(refusedPaths(await patch(owner.call, id, half)), JSON.stringify(half)).toEqual(['feeAmount'])
    expect(refusedPaths(await patch(owner.call, id, { feeModel: null, feeAmount: null }))).toEqual([
      'feeModel',
      'feeAmount',
    ])
    const price = { feeModel: 'flat', feeAmount: 1 }
    expect((await patch(stranger.call, id, price)).status).toBe(404)
    expect((await patch(operator.call, id, price)).status).toBe(403)
    expect((await service.call('GET', `/agents/${id}`)).body).toMatchObject({
      feeModel: 'percentage',
      feeAmount: 500,
    })
  })

  it('rejects an empty change and unknown fields', async () => {
    const { id } = await register(owner.call)
    expect((await patch(owner.call, id, {})).status).toBe(400)
    expect(refusedPaths(await patch(owner.call, id, { pubkey: 'x' }))).toEqual(['pubkey'])
  })
})

describe('the list of agents', () => {
  let fresh: Service
  beforeAll(async () => {
    fresh = await startService({
      groups: ['auth', 'agents'],
      bindings: { OPERATOR_WALLETS: operatorWallet.publicKey },
    })
  })
  afterAll(() => fresh.stop())

  const list = async (query: string) => {
    const answer = await fresh.call('GET', `/agents${query}`)
    return { ...answer, agents: (answer.body.agents ?? []) as Body[] }
  }

  it('filters by status, layer, type, fee model, name and reputation', async () => {
    const { call } = await fresh.signIn()
    const scout = await register(call, { name: 'Scout 100%', supportedLayers: [5] })
    const other = await register(call, { name: 'scouting', agentType: 'oracle', feeModel: 'flat' })
    const gone = await register(call, { name: 'Gone away' })
    await call('PATCH', `/agents/${gone.id}`, { body: { status: 'inactive' } })
    const ids = async (query: string) => (await list(query)).agents.map(({ id }) => id)
    expect(await ids('')).toEqual([other.id, scout.id])
    expect(await ids('?status=inactive')).toEqual([gone.id])
    expect(await ids('?status=all')).toEqual([gone.id, other.id, scout.id])
    expect(await ids('?layer=5')).toEqual([scout.id])
    expect(await ids('?agentType=oracle')).toEqual([other.id])
    expect(await ids('?feeModel=flat')).toEqual([other.id])
    expect(await ids('?q=SCOUT')).toEqual([other.id, scout.id])
    expect(await ids('?q=scout%20100%25')).toEqual([scout.id])
    expect(await ids('?q=%25')).toEqual([])
    expect((await list('?q=scout')).body).not.toHaveProperty('close')
    const close = await list('?q=a+scout+of+gardens')
    expect(close.body).toMatchObject({ count: 2, close: true })
    const { body: counts } = await fresh.call('GET', '/agents/counts?q=scout')
    expect(counts).toMatchObject({ count: 2, complete: true })
    expect(counts.layers).toContainEqual({ layer: 5, count: 1 })
    expect(await ids('?minReputation=1')).toEqual([])
    expect(await ids('?unknown=1')).toEqual([other.id, scout.id])
    expect((await list('')).body.count).toBe(2)
  })

  it('filters by owner together with every other filter, in the same order', async () => {
    const { wallet, call } = await fresh.signIn()
    const { call: another } = await fresh.signIn()
    const first = await register(call, { name: 'Mine, first' })
    await register(another, { name: 'Not mine' })
    const second = await register(call, { name: 'Mine, second', agentType: 'oracle' })
    await call('PATCH', `/agents/${first.id}`, { body: { status: 'inactive' } })
    const mine = `?owner=${wallet.publicKey}`
    const ids = async (query: string) => (await list(mine + query)).agents.map(({ id }) => id)
    expect(await ids('')).toEqual([second.id])
    expect(await ids('&status=all')).toEqual([second.id, first.id])
    expect(await ids('&status=all&agentType=autonomous')).toEqual([first.id])
    expect(await ids('&status=all&q=second')).toEqual([second.id])
    expect(await ids('&status=all&q=not')).toEqual([])
    const page = await list(`${mine}&status=all&limit=1`)
    expect(page.agents.map(({ id }) => id)).toEqual([second.id])
    expect(await ids(`&status=all&limit=1&cursor=${page.body.nextCursor}`)).toEqual([first.id])
    expect((await list(`?owner=${createWallet().publicKey}`)).body).toEqual({ agents: [], count: 0 })
  })

  it('rejects parameters out of bounds, and reduces a large limit to 100', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1.5',
      'limit=',
      'layer=0',
      'layer=23',
      'layer=a',
      'status=gone',
      'sort=oldest',
      'cursor=garbage',
      'cursor=WzEsMl0',
      'minReputation=101',
      'owner=',
      'owner=me',
    ]) {
      const answer = await list(`?${query}`)
      expect(answer.status, query).toBe(400)
      expect(refusedPaths(answer), query).toEqual([query.split('=')[0]])
    }
    expect((await list('?limit=1000')).status).toBe(200)
  })

  it.each(['', '&sort=newest'])('keeps its order%s and its cursor while agents are added', async (sort) => {
    const { call } = await fresh.signIn()
    const before = (await list('?status=all&limit=100')).agents.map(({ id }) => id)
    const added: unknown[] = []
    for (let i = 0; i < 7; i++) added.unshift((await register(call, { name: `Paged ${i}` })).id)
    const expected = [...added, ...before]
    const seen: unknown[] = []
    const start = `/agents?status=all&limit=3${sort}`
    let path: string | undefined = start
    while (path) {
      const page: Awaited<ReturnType<Call>> = await fresh.call('GET', path)
      seen.push(...(page.body.agents as Body[]).map(({ id }) => id))
      const link = page.headers.get('link')
      path = page.body.nextCursor ? `${start}&cursor=${page.body.nextCursor}` : undefined
      expect(link ?? undefined).toBe(path && `<${fresh.origin}/v1${path}>; rel="next"`)
      await register(call, { name: 'Latecomer' })
    }
    expect(seen).toEqual(expected)
  })

  it('returns 50 agents without a limit, and at most 100', async () => {
    const { call } = await fresh.signIn()
    // Few at once: each waits for the row of the wallet's quotas.
    for (let n = 0; n < 105; n += 7) await Promise.all(Array.from({ length: 7 }, () => register(call)))
    expect((await list('')).body.count).toBe(50)
    expect((await list('?limit=1000')).body.count).toBe(100)
  })
})
