import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

const DAY = 86_400_000
const operatorWallet = createWallet()
let service: Service
let developer: { call: Call }
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents'],
    bindings: { OPERATOR_WALLETS: operatorWallet.publicKey },
  })
})
afterAll(() => service.stop())
// Anew for each test: time travel outlives a session.
beforeEach(async () => {
  developer = await service.signIn()
})

const hire = (call: Call, body: Body) => call('POST', '/agents/hire', { body })
const end = (call: Call, id: unknown) => call('DELETE', `/agents/hire?id=${id}`)
const hiresOf = async (call: Call) => (await call('GET', '/agents/hire')).body.hires as Body[]
const totalHires = async (id: string) => (await service.call('GET', `/agents/${id}`)).body.totalHires
async function travel(days: number) {
  await service.clock.travelTo(service.clock.now() + days * DAY)
}

describe('hiring an agent', () => {
  it('enables all layers for 30 days by default', async () => {
    const agent = await register(developer.call)
    const { call, wallet } = await service.signIn()
    const answer = await hire(call, { agentId: agent.id })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      agent: { ...agent, totalHires: 1 },
      hirer: wallet.publicKey,
      layersEnabled: [1, 10, 17],
      feeModel: agent.feeModel,
      feeAmount: agent.feeAmount,
      period: { start: answer.body.hiredAt, end: answer.body.expiresAt },
      spent: 0,
      requestsPaid: 0,
      autoRenew: false,
      status: 'active',
      hiredAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    const term = Date.parse(String(answer.body.expiresAt)) - Date.parse(String(answer.body.hiredAt))
    expect(term).toBe(30 * DAY)
    expect(await hiresOf(call)).toEqual([answer.body])
  })

  it('uses the requested layers, budget and term', async () => {
    const agent = await register(developer.call)
    const { call } = await service.signIn()
    const body = {
      agentId: agent.id,
      layers: [17, 1, 17],
      budgetLimit: 2 ** 53 - 1,
      expiresInDays: 365,
      autoRenew: true,
    }
    const answer = await hire(call, body)
    expect(answer.body).toMatchObject({ layersEnabled: [1, 17], budgetLimit: 2 ** 53 - 1, autoRenew: true })
    expect(Date.parse(String(answer.body.expiresAt)) - Date.parse(String(answer.body.hiredAt))).toBe(
      365 * DAY,
    )
  })

  it('rejects values out of bounds by name', async () => {
    const agent = await register(developer.call)
    const { call } = await service.signIn()
    const refused = async (changes: Body) => refusedPaths(await hire(call, { agentId: agent.id, ...changes }))
    expect(await refused({ budgetLimt: 5 })).toEqual(['budgetLimt'])
    expect(await refused({ agentId: 'x' })).toEqual(['agentId'])
    expect(await refused({ layers: [] })).toEqual(['layers'])
    expect(await refused({ layers: [1, 2] })).toEqual(['layers'])
    expect(await refused({ expiresInDays: 0 })).toEqual(['expiresInDays'])
    expect(await refused({ expiresInDays: 366 })).toEqual(['expiresInDays'])
    expect(await refused({ expiresInDays: 1.5 })).toEqual(['expiresInDays'])
    expect(await refused({ budgetLimit: -1 })).toEqual(['budgetLimit'])
    expect(await refused({ budgetLimit: 2 ** 53 })).toEqual(['budgetLimit'])
    expect(await refused({ autoRenew: 'yes' })).toEqual(['autoRenew'])
    expect((await hire(call, { agentId: agent.id, layers: [2] })).body.code).toBe('layers_not_supported')
    expect(await hiresOf(call)).toEqual([])
    expect(await totalHires(agent.id)).toBe(0)
  })

  it('returns 404 for an unknown agent and 400 for one that is not active', async () => {
    const { call } = await service.signIn()
    const unknown = await hire(call, { agentId: '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d' })
    expect(unknown.body).toMatchObject({ status: 404, code: 'agent_not_found' })
    const agent = await register(developer.call)
    await developer.call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    expect((await hire(call, { agentId: agent.id })).body).toMatchObject({
      status: 400,
      code: 'agent_not_active',
    })
  })

  it('allows a wallet to hire its own agent', async () => {
    const agent = await register(developer.call)
    expect((await hire(developer.call, { agentId: agent.id })).status).toBe(201)
  })

  it('creates one hire when a wallet sends twenty at once', async () => {
    const agent = await register(developer.call)
    const { call } = await service.signIn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => hire(call, { agentId: agent.id })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'already_hired')).toHaveLength(19)
    expect(await hiresOf(call)).toHaveLength(1)
    expect(await totalHires(agent.id)).toBe(1)
  })

  it('counts concurrent hires of different wallets exactly', async () => {
    const agent = await register(developer.call)
    const users = await Promise.all(Array.from({ length: 10 }, () => service.signIn()))
    await Promise.all(users.map(({ call }) => hire(call, { agentId: agent.id })))
    expect(await totalHires(agent.id)).toBe(10)
  })
})

describe('the price of a hire', () => {
  const OLD = { feeModel: 'flat', feeAmount: 1_000 }
  const NEW = { feeModel: 'flat', feeAmount: 5_000 }
  const setPrice = (id: string, body: Body) => developer.call('PATCH', `/agents/${id}`, { body })

  it('stays the same when the agent changes its price, also after a renewal', async () => {
    const agent = await register(developer.call, OLD)
    const { call, wallet } = await service.signIn()
    expect((await hire(call, { agentId: agent.id, autoRenew: true })).body).toMatchObject(OLD)
    await setPrice(agent.id, NEW)
    await travel(31)
    const later = await service.signIn(wallet)
    expect(await hiresOf(later.call)).toEqual([expect.objectContaining({ status: 'active', ...OLD })])
    const other = await service.signIn()
    expect((await hire(other.call, { agentId: agent.id })).body).toMatchObject(NEW)
  })

  it('must be the price in the request, else there is no hire', async () => {
    const agent = await register(developer.call, OLD)
    const { call } = await service.signIn()
    for (const named of [NEW, { feeModel: 'hybrid' }, { feeAmount: 999 }]) {
      const refused = await hire(call, { agentId: agent.id, ...named })
      expect(refused).toMatchObject({ status: 409, body: { code: 'price_changed' } })
      expect(refusedPaths(refused)).toEqual(['feeAmount'])
    }
    expect(await totalHires(agent.id)).toBe(0)
    expect((await hire(call, { agentId: agent.id, ...OLD })).body).toMatchObject(OLD)
  })

  it('is never the new one for a request with the old one, when sent at once', async () => {
    const agent = await register(developer.call, OLD)
    const hirers = await Promise.all(Array.from({ length: 12 }, () => service.signIn()))
    const [, ...answers] = await Promise.all([
      setPrice(agent.id, NEW),
      ...hirers.map(({ call }) => hire(call, { agentId: agent.id, ...OLD })),
    ])
    const hired = answers.filter(({ status }) => status === 201)
    for (const { body } of hired) expect(body).toMatchObject(OLD)
    expect(answers.filter(({ body }) => body.code === 'price_changed')).toHaveLength(12 - hired.length)
    expect(await totalHires(agent.id)).toBe(hired.length)
  })
})

describe('reading a hire', () => {
  it('returns it as it is now, the same to both sides', async () => {
    const agent = await register(developer.call)
    const hirer = await service.signIn()
    const { body: made } = await hire(hirer.call, { agentId: agent.id, budgetLimit: 5 })
    for (const { call } of [hirer, developer]) {
      const { status, body } = await call('GET', `/agents/hire/${made.id}`)
      expect([status, body]).toEqual([200, made])
      expect(body).toMatchObject({ hirer: hirer.wallet.publicKey, remaining: 5, agent: { id: agent.id } })
    }
    await travel(30)
    const { call } = await service.signIn(hirer.wallet)
    const read = (await call('GET', `/agents/hire/${made.id}`)).body
    expect(read).toMatchObject({ status: 'expired', endedAt: made.expiresAt })
    expect(await hiresOf(call)).toEqual([read])
  })

  it('returns 404 to strangers and for unknown ids, also for what is not an id', async () => {
    const agent = await register(developer.call)
    const { call } = await service.signIn()
    const { body: made } = await hire(call, { agentId: agent.id })
    const stranger = await service.signIn()
    // An owner of another agent is a stranger, too.
    await register(stranger.call)
    for (const id of [made.id, agent.id, '00000000-0000-0000-0000-000000000000'])
      expect((await stranger.call('GET', `/agents/hire/${id}`)).body).toMatchObject({
        status: 404,
        code: 'hire_not_found',
      })
    for (const id of ['x', `${made.id}x`, "' or true --"])
      expect((await call('GET', `/agents/hire/${encodeURIComponent(id)}`)).body).toMatchObject({
        code: 'unknown_path',
      })
    expect((await service.call('GET', `/agents/hire/${made.id}`)).status).toBe(401)
  })

  it('needs a permission for hires', async () => {
    const agent = await register(developer.call)
    const hirer = await service.signIn()
    const { body: made } = await hire(hirer.call, { agentId: agent.id })
    const { call } = await service.signIn(hirer.wallet, ['vault:transact', 'reputation:attest'])
    expect((await call('GET', `/agents/hire/${made.id}`)).body).toMatchObject({ code: 'permission_missing' })
    for (const permission of ['agents:hire', 'agents:charge', 'agents:register'] as const) {
      const { call } = await service.signIn(hirer.wallet, [permission])
      expect((await call('GET', `/agents/hire/${made.id}`)).status).toBe(200)
    }
  })
})

describe('ending a hire', () => {
  it('terminates it once, and returns the same answer again', async () => {
    const agent = await register(developer.call)
    const { call } = await service.signIn()
    const { body } = await hire(call, { agentId: agent.id })
    const [first, second] = await Promise.all([end(call, body.id), end(call, body.id)])
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ id: body.id, status: 'terminated', endedAt: expect.any(String) })
    expect(second.body).toEqual(first.body)
    expect((await end(call, body.id)).body).toEqual(first.body)
    expect((await hire(call, { agentId: agent.id })).status).toBe(201)
    expect((await hiresOf(call)).map(({ status }) => status)).toEqual(['active', 'terminated'])
    expect(await totalHires(agent.id)).toBe(2)
  })

  it('returns 404 for another wallet’s or an unknown hire, 400 without an id', async () => {
    const agent = await register(developer.call)
    const user = await service.signIn()
    const { body } = await hire(user.call, { agentId: agent.id })
    const stranger = await service.signIn()
    expect((await end(stranger.call, body.id)).body.code).toBe('hire_not_found')
    expect((await end(user.call, agent.id)).body.code).toBe('hire_not_found')
    expect(refusedPaths(await end(user.call, 'x'))).toEqual(['id'])
    expect(refusedPaths(await user.call('DELETE', '/agents/hire'))).toEqual(['id'])
    expect((await hiresOf(user.call))[0]?.status).toBe('active')
  })
})

describe('a hire past its expiresAt', () => {
  it('reads as expired, can be hired again, and can’t be terminated any more', async () => {
    const agent = await register(developer.call)
    const user = createWallet()
    const { body } = await hire((await service.signIn(user)).call, { agentId: agent.id, expiresInDays: 1 })
    await travel(1)
    const { call } = await service.signIn(user)
    const [read] = await hiresOf(call)
    expect(read).toMatchObject({ id: body.id, status: 'expired', endedAt: body.expiresAt })
    // Ending it records what had become of it, which the agent's score follows: one of one ran its term.
    const scored = { ...(read?.agent as Body), reputationScore: 4 }
    expect((await end(call, body.id)).body).toEqual({ ...read, agent: scored })
    const again = await hire(call, { agentId: agent.id })
    expect(again.status).toBe(201)
    expect((await hiresOf(call)).map(({ status }) => status)).toEqual(['active', 'expired'])
    expect((await hire(call, { agentId: agent.id })).status).toBe(409)
  })

  it('can be replaced by exactly one of twenty concurrent hires', async () => {
    const agent = await register(developer.call)
    const user = createWallet()
    await hire((await service.signIn(user)).call, { agentId: agent.id, expiresInDays: 1 })
    await travel(2)
    const { call } = await service.signIn(user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => hire(call, { agentId: agent.id })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await hiresOf(call)).map(({ status }) => status)).toEqual(['active', 'expired'])
  })
})

describe('a hire with autoRenew past its term', () => {
  const renewing = async (expiresInDays: number) => {
    const owner = createWallet()
    const user = createWallet()
    const agent = await register((await service.signIn(owner)).call)
    const { body } = await hire((await service.signIn(user)).call, {
      agentId: agent.id,
      expiresInDays,
      autoRenew: true,
    })
    return { owner, user, agent, expiresAt: Date.parse(String(body.expiresAt)), id: body.id }
  }
  const read = async (user: ReturnType<typeof createWallet>) =>
    (await hiresOf((await service.signIn(user)).call))[0]

  it('reads as renewed by whole terms, and can’t be hired twice', async () => {
    const { user, agent, expiresAt } = await renewing(10)
    await travel(35)
    expect(await read(user)).toMatchObject({
      status: 'active',
      expiresAt: new Date(expiresAt + 30 * DAY).toISOString(),
    })
    expect((await hire((await service.signIn(user)).call, { agentId: agent.id })).status).toBe(409)
  })

  it('is terminated in the term that it is in', async () => {
    const { user, id, expiresAt } = await renewing(10)
    await travel(15)
    const ended = await end((await service.signIn(user)).call, id)
    expect(ended.body).toMatchObject({
      status: 'terminated',
      expiresAt: new Date(expiresAt + 10 * DAY).toISOString(),
    })
    expect(await read(user)).toEqual(ended.body)
  })

  it('ends with its term when its agent is inactive, and stays ended', async () => {
    const { owner, user, agent, expiresAt } = await renewing(10)
    await travel(15)
    await (await service.signIn(owner)).call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    const endOfTerm = new Date(expiresAt + 10 * DAY).toISOString()
    expect(await read(user)).toMatchObject({ status: 'active', expiresAt: endOfTerm })
    await travel(10)
    expect(await read(user)).toMatchObject({ status: 'expired', expiresAt: endOfTerm, endedAt: endOfTerm })
    await (await service.signIn(owner)).call('PATCH', `/agents/${agent.id}`, { body: { status: 'active' } })
    expect(await read(user)).toMatchObject({ status: 'expired', expiresAt: endOfTerm, endedAt: endOfTerm })
    expect((await hire((await service.signIn(user)).call, { agentId: agent.id })).status).toBe(201)
  })
})

describe('the list of a wallet’s hires by status', () => {
  it('has what each hire is now, newest first, page by page', async () => {
    const user = createWallet()
    const { call } = await service.signIn(user)
    const made: unknown[] = []
    for (const expiresInDays of [1, 30, 30, 30, 30]) {
      const agent = await register(developer.call)
      made.unshift((await hire(call, { agentId: agent.id, expiresInDays })).body.id)
    }
    await end(call, made[2])
    await travel(1)
    const { call: later } = await service.signIn(user)
    const list = async (query: string) => (await later('GET', `/agents/hire?${query}`)).body
    const found = async (query: string) => ((await list(query)).hires as Body[]).map(({ id }) => id)
    expect(await found('status=expired')).toEqual([made[4]])
    expect(await found('status=terminated')).toEqual([made[2]])
    const { nextCursor } = await list('status=active&limit=2')
    expect(await found('status=active&limit=2')).toEqual([made[0], made[1]])
    expect(await found(`status=active&limit=2&cursor=${nextCursor}`)).toEqual([made[3]])
    expect(await found(`cursor=${nextCursor}`)).toEqual(made.slice(2))
    expect(refusedPaths(await later('GET', '/agents/hire?status=gone'))).toEqual(['status'])
  })
})
