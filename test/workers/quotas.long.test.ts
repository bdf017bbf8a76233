import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register, registration } from '../support/agents.ts'
import { codes } from '../support/answers.ts'
import { signed } from '../support/registry.ts'
import { type Service, startService } from '../support/service.ts'

const operator = createWallet()
let service: Service
let strict: Service
beforeAll(async () => {
  service = await startService({
    stopped: true,
    groups: ['auth', 'agents', 'registry', 'reputation', 'jobs'],
    bindings: { OPERATOR_WALLETS: operator.publicKey },
  })
  strict = await startService({
    stopped: true,
    groups: ['auth', 'agents', 'registry', 'reputation', 'jobs'],
    bindings: { REGISTRY_KEYS_PER_ADDRESS: '60', AGENTS_PER_ADDRESS: '60', EXPEDITED_PER_ADDRESS: '10' },
  })
})
afterAll(async () => {
  await service.stop()
  await strict.stop()
})

const range = (length: number) => Array.from({ length }, (_, i) => i)
describe('one wallet', () => {
  it('has at most 200 active agents when it registers many at once', async () => {
    const { call, wallet } = await service.signIn()
    const post = () => call('POST', '/agents/register', { body: registration() })
    expect((await post()).status).toBe(201)
    const query = 'update wallet_quotas set active_agents = 190 where wallet = $1'
    await service.database.engine.run([{ query, params: [wallet.publicKey] }])
    const answers = await Promise.all(range(40).map(post))
    expect(codes(answers)).toEqual({ 201: 10, quota_exceeded: 30 })
    const stranger = await service.signIn()
    expect((await stranger.call('POST', '/agents/register', { body: registration() })).status).toBe(201)
    // Taking one off the market gives its slot back; putting it back takes one.
    const id = String(answers.find(({ status }) => status === 201)?.body.id)
    const set = (status: string) => call('PATCH', `/agents/${id}`, { body: { status } })
    expect((await set('active')).status).toBe(200)
    expect((await post()).body.code).toBe('quota_exceeded')
    expect((await set('inactive')).status).toBe(200)
    expect((await set('inactive')).status).toBe(200)
    expect((await post()).status).toBe(201)
    expect(await set('active')).toMatchObject({ status: 409, body: { code: 'quota_exceeded' } })
    expect((await post()).body.code).toBe('quota_exceeded')
  })

  it('can activate another agent when an operator suspends one', async () => {
    const owner = await service.signIn()
    const { id } = await register(owner.call)
    const query = 'update wallet_quotas set active_agents = 200 where wallet = $1'
    await service.database.engine.run([{ query, params: [owner.wallet.publicKey] }])
    expect((await owner.call('POST', '/agents/register', { body: registration() })).status).toBe(409)
    const moderator = await service.signIn(operator)
    const body = { status: 'suspended', reason: 'Phishing' }
    const path = `/agents/${id}`
    expect((await moderator.call('PATCH', path, { body })).status).toBe(200)
    expect((await moderator.call('PATCH', path, { body })).status).toBe(200)
    const again = await Promise.all(
      range(3).map(() => owner.call('POST', '/agents/register', { body: registration() })),
    )
    expect(codes(again)).toEqual({ 201: 1, quota_exceeded: 2 })
  })

  it('has at most 1,000 active hires and 1,000 new ones a day', async () => {
    const { call, wallet } = await service.signIn()
    const owner = await service.signIn()
    const hire = async () => {
      const { id: agentId } = await register(owner.call)
      return call('POST', '/agents/hire', { body: { agentId } })
    }
    const count = (set: string) =>
      service.database.engine.run([
        { query: `update wallet_quotas set ${set} where wallet = $1`, params: [wallet.publicKey] },
      ])
    const first = await hire()
    expect(first.status).toBe(201)
    await count('active_hires = 1000')
    expect((await hire()).body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    expect((await call('DELETE', `/agents/hire?id=${first.body.id}`)).status).toBe(200)
    expect((await hire()).status).toBe(201)
    await count('hires = 1000, active_hires = 1')
    const refused = await hire()
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.headers.get('ratelimit-policy')).toBe('"hires";q=1000;w=86400')
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
  })

  it('records 100 attestations a day, and more on the next', async () => {
    const { call, wallet } = await service.signIn()
    const attest = (n: number, as = call) =>
      as('POST', '/reputation/attest/skill', { body: { credentialType: 'skill', credentialId: `c-${n}` } })
    const answers = await Promise.all(range(130).map((n) => attest(n)))
    expect(codes(answers)).toEqual({ 201: 100, rate_limited: 30 })
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused?.status).toBe(429)
    const secondsLeft = Number(refused?.headers.get('retry-after'))
    expect(secondsLeft).toBeGreaterThan(0)
    expect(secondsLeft).toBeLessThanOrEqual(86_400)
    // Keys that are registered already cost nothing.
    const known = answers.findIndex(({ status }) => status === 201)
    expect((await attest(known)).status).toBe(201)
    await service.clock.travelTo(service.clock.now() + secondsLeft * 1000)
    const tomorrow = await service.signIn(wallet)
    expect((await attest(1000, tomorrow.call)).status).toBe(201)
  })
})

describe('one address', () => {
  const post = (body: unknown, address: string) =>
    strict.call('POST', '/registry/agents', { body, headers: { 'cf-connecting-ip': address } })

  it('registers 60 new keys an hour, not counting updates', async () => {
    const now = strict.clock.now()
    const first = createWallet()
    expect((await post(signed(now, {}, first), '192.0.2.1')).status).toBe(201)
    const answers = await Promise.all(range(79).map(() => post(signed(now), '192.0.2.1')))
    expect(codes(answers)).toEqual({ 201: 59, rate_limited: 20 })
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused?.status).toBe(429)
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    expect((await post(signed(now + 1, {}, first), '192.0.2.1')).status).toBe(200)
    expect((await post(signed(now), '192.0.2.2')).status).toBe(201)
    // A new endpoint of a known key is probed like a new key's endpoint, so it counts as one.
    const named = await Promise.all(
      range(3).map((n) =>
        post(signed(now + 2 + n, { apiEndpoint: `https://a${n}.example.com` }, first), '192.0.2.1'),
      ),
    )
    expect(codes(named)).toEqual({ rate_limited: 3 })
  })

  it('changes known keys 600 times an hour, not counting identical ones', async () => {
    const now = strict.clock.now()
    const own = createWallet()
    const last = signed(now + 5, { description: 'five' }, own)
    expect((await post(signed(now, {}, own), '192.0.2.5')).status).toBe(201)
    for (let n = 1; n < 5; n += 1)
      expect((await post(signed(now + n, { description: `${n}` }, own), '192.0.2.5')).status).toBe(200)
    const query = 'update address_quotas set used = 599 where used = 4 returning used'
    expect((await strict.database.engine.run([{ query, params: [] }]))[0]?.rows).toHaveLength(1)
    for (const _ of [1, 2]) expect((await post(last, '192.0.2.5')).status).toBe(200)
    const refused = await post(signed(now + 6, {}, own), '192.0.2.5')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('ratelimit-policy')).toBe('"registry-changes";q=600;w=3600')
    expect((await post(signed(now + 6, {}, own), '192.0.2.6')).status).toBe(200)
  })

  it('registers 60 new agents or endpoints an hour with all its wallets', async () => {
    const from = (address: string) => ({ 'cf-connecting-ip': address })
    const offer = async (address: string, wallet = createWallet()) => {
      const { call } = await strict.signIn(wallet)
      return call('POST', '/agents/register', { body: registration(), headers: from(address) })
    }
    const own = await strict.signIn()
    const agent = (
      await own.call('POST', '/agents/register', { body: registration(), headers: from('192.0.2.9') })
    ).body
    const move = (apiEndpoint: string | null, address: string) =>
      own.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint }, headers: from(address) })
    expect((await move('https://a.example.com', '192.0.2.3')).status).toBe(200)
    // Neither the same endpoint again nor none is a new one.
    expect((await move('https://a.example.com', '192.0.2.3')).status).toBe(200)
    expect((await move(null, '192.0.2.3')).status).toBe(200)
    const answers = await Promise.all(range(70).map(() => offer('192.0.2.3')))
    expect(codes(answers)).toEqual({ 201: 59, rate_limited: 11 })
    const refused = answers.find(({ status }) => status !== 201)
    expect([refused?.status, Number(refused?.headers.get('retry-after')) <= 3600]).toEqual([429, true])
    expect((await move('https://b.example.com', '192.0.2.3')).status).toBe(429)
    expect((await own.call('GET', `/agents/${agent.id}`)).body).not.toHaveProperty('apiEndpoint')
    expect((await offer('192.0.2.4')).status).toBe(201)
    // Protocol fees buy calls beyond that, each for its price.
    const offersAfterPaying = async (room: number) => {
      const payer = createWallet()
      const query = 'insert into wallet_quotas (wallet, paid_room) values ($1, $2)'
      await strict.database.engine.run([{ query, params: [payer.publicKey, String(room)] }])
      const statuses = []
      for (let n = 0; n < 3; n += 1) statuses.push((await offer('192.0.2.3', payer)).status)
      return statuses
    }
    expect(await offersAfterPaying(19_999_999)).toEqual([429, 429, 429])
    expect(await offersAfterPaying(40_000_000)).toEqual([201, 201, 429])
  })

  it('gets ten expedited verifications a day; further ones are normal', async () => {
    const priorities: unknown[] = []
    for (let n = 0; n < 4; n += 1) {
      const { call } = await strict.signIn()
      for (let credential = 0; credential < 3; credential += 1) {
        const claim = { credentialType: 'certification', credentialId: `expedited ${credential}` }
        const { body } = await call('POST', '/reputation/attest/skill', { body: claim })
        const request = { attestation_id: body.id, priority: 'expedited' }
        priorities.push((await call('POST', '/reputation/verify', { body: request })).body.priority)
      }
    }
    expect(priorities).toEqual([...range(10).map(() => 'expedited'), 'normal', 'normal'])
  })

  it('is stored as a hash until an hour after its hour or day', async () => {
    const rows = async () => {
      const query = 'select * from address_quotas'
      return (await strict.database.engine.run([{ query, params: [] }]))[0]?.rows ?? []
    }
    expect((await rows()).length).toBeGreaterThan(0)
    expect(JSON.stringify(await rows())).not.toContain('192.0.2')
    await strict.clock.travelTo(strict.clock.now() + 26 * 3_600_000)
    await strict.runJob('daily')
    expect(await rows()).toEqual([])
  })
})

describe('an agent', () => {
  it('is changed at most 60 times a day by its owner, without a limit by operators', async () => {
    const owner = await service.signIn()
    const moderator = await service.signIn(operator)
    const { id } = await register(owner.call)
    const set = (call: typeof owner.call, status: string) => {
      const body = status === 'suspended' ? { status, reason: 'Phishing' } : { status }
      return call('PATCH', `/agents/${id}`, { body })
    }
    const setPrice = (feeAmount: number) =>
      owner.call('PATCH', `/agents/${id}`, { body: { feeModel: 'flat', feeAmount } })
    const statuses: number[] = []
    for (let n = 0; n < 30; n += 1) {
      statuses.push((await set(owner.call, n % 2 === 0 ? 'inactive' : 'active')).status)
      statuses.push((await setPrice(n)).status)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await set(owner.call, 'inactive')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(await setPrice(30)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    for (const body of [
      { description: 'x' },
      { logoUrl: 'https://a.example.com/logo.png' },
      { apiEndpoint: 'https://a.example.com', apiProtocol: 'http' },
      { webhookUrl: 'https://a.example.com/hook' },
    ])
      expect(await owner.call('PATCH', `/agents/${id}`, { body })).toMatchObject({ status: 429 })
    // Requests that change nothing are not counted, nor are requests of operators.
    expect((await setPrice(29)).status).toBe(200)
    expect((await set(owner.call, 'active')).status).toBe(200)
    expect((await set(moderator.call, 'suspended')).status).toBe(200)
    expect((await set(moderator.call, 'inactive')).status).toBe(200)
    await service.clock.travelTo(service.clock.now() + 24 * 3_600_000)
    const tomorrow = await service.signIn(owner.wallet)
    expect((await set(tomorrow.call, 'active')).status).toBe(200)
  })
})

describe('an operator', () => {
  it('suspends and removes a registry entry, whose key stays barred', async () => {
    const agent = createWallet()
    const now = service.clock.now()
    const post = (at: number) => service.call('POST', '/registry/agents', { body: signed(at, {}, agent) })
    expect((await post(now)).status).toBe(201)
    const path = `/registry/agents/${agent.publicKey}`
    const listed = async () => {
      const { body } = await service.call('GET', '/registry/agents?limit=100')
      return (body.agents as { pubkey: string }[]).some(({ pubkey }) => pubkey === agent.publicKey)
    }
    const user = await service.signIn()
    expect((await user.call('PATCH', path, { body: { status: 'suspended', reason: 'x' } })).status).toBe(403)
    expect((await user.call('DELETE', path)).status).toBe(403)
    const moderator = await service.signIn(operator)
    const suspended = await moderator.call('PATCH', path, {
      body: { status: 'suspended', reason: 'Phishing' },
    })
    expect(suspended).toMatchObject({ status: 200, body: { status: 'suspended', statusReason: 'Phishing' } })
    expect(await listed()).toBe(false)
    // Its key may go on registering; that does not lift the suspension.
    expect((await post(now + 1)).body).toMatchObject({ agent: { status: 'suspended' } })
    expect(await listed()).toBe(false)
    expect((await moderator.call('PATCH', path, { body: { status: 'active' } })).status).toBe(200)
    expect(await listed()).toBe(true)
    expect((await moderator.call('DELETE', path)).status).toBe(200)
    expect((await service.call('GET', path)).status).toBe(404)
    expect(await listed()).toBe(false)
    expect(await post(now + 2)).toMatchObject({ status: 403, body: { code: 'registration_barred' } })
    expect((await service.call('GET', path)).status).toBe(404)
    expect((await moderator.call('DELETE', path)).status).toBe(404)
  })
})
