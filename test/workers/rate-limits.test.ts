import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../lib/session/token.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { newWallet } from '../support/stored-agents.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ rateLimits: true })
})
afterAll(() => service.stop())

const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } })

/** Repeats a request until it is limited, at most `most` times, and says how often it was let through. */
async function untilLimited(most: number, request: () => Promise<Answer>) {
  for (let passed = 0; passed < most; passed++) {
    const answer = await request()
    if (answer.status === 429) return { passed, answer }
  }
  throw new Error(`not limited after ${most} requests`)
}

describe('with rate limits on', () => {
  it('an address gets 30 challenges and 30 logins a minute, and is told when to come back', async () => {
    const challenges = await untilLimited(80, () => service.call('GET', '/auth/handshake', from('192.0.2.1')))
    // The window is fixed: it may have turned once on the way.
    expect(challenges.passed).toBeGreaterThanOrEqual(30)
    expect(challenges.passed).toBeLessThanOrEqual(60)
    expect(challenges.answer.body).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(challenges.answer.headers.get('retry-after')).toBe('60')
    expect(challenges.answer.headers.get('ratelimit-policy')).toBe('"login";q=30;w=60')
    expect((await service.call('GET', '/auth/handshake', from('192.0.2.2'))).status).toBe(200)
    const body = { nonce: 'a', signature: 'b', publicKey: 'c' }
    const login = () => service.call('POST', '/auth/handshake', { body, ...from('192.0.2.1') })
    expect((await untilLimited(80, login)).passed).toBeGreaterThanOrEqual(30)
  })

  it('the addresses of one IPv6 subscriber count together', async () => {
    let host = 0
    const request = () =>
      service.call('GET', '/auth/handshake', from(`2001:db8:1:2::${(++host).toString(16)}`))
    expect((await untilLimited(80, request)).passed).toBeLessThanOrEqual(60)
    expect((await service.call('GET', '/auth/handshake', from('2001:db8:1:3::1'))).status).toBe(200)
  })

  it('an address gets 10 deep health checks a minute, failed ones too; shallow ones go on', async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.4' }
    const refuse = () => {
      throw new Error('connection refused')
    }
    const deep = () => {
      // What was found before holds no longer: each call that passes asks.
      service.clock.travelTo(service.clock.now() + 6_000)
      return service.call('GET', '/health?deep=1', { headers })
    }
    let passed = 0
    const asked = await service.countRpc(async () => {
      const limited = await service.withFault(refuse, () => untilLimited(30, deep))
      passed = limited.passed
      expect(limited.answer.headers.get('ratelimit-policy')).toBe('"health";q=10;w=60')
      for (let n = 0; n < 20; n++) expect((await deep()).status).toBe(429)
    })
    expect(passed).toBeGreaterThanOrEqual(10)
    expect(passed).toBeLessThanOrEqual(20)
    expect(asked).toBe(passed)
    expect((await service.call('GET', '/health', { headers })).status).toBe(200)
    expect((await service.call('GET', '/health?deep=1', from('192.0.2.5'))).status).toBe(200)
  })

  it('a wallet gets 120 requests a minute, wherever it is', async () => {
    const { call } = await service.signIn()
    let n = 0
    const request = () => call('DELETE', '/agents/hire?id=x', from(`198.51.100.${++n % 250}`))
    const { passed, answer } = await untilLimited(260, request)
    expect(passed).toBeGreaterThanOrEqual(120)
    expect(answer.headers.get('ratelimit-policy')).toBe('"wallet";q=120;w=60')
  })

  it('an address gets 60 signed registrations a minute, whatever becomes of them', async () => {
    const body = { pubkey: 'none' }
    const request = () => service.call('POST', '/registry/agents', { body, ...from('192.0.2.3') })
    const { passed, answer } = await untilLimited(140, request)
    expect(passed).toBeGreaterThanOrEqual(60)
    expect(passed).toBeLessThanOrEqual(120)
    expect(answer.headers.get('ratelimit-policy')).toBe('"public-write";q=60;w=60')
  })
})

describe('whoever has many wallets', () => {
  it('gets 1,200 requests a minute by address, those with bad tokens counted too', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const session = { wallet: newWallet(), permissions: ['agents:hire' as const] }
        return (await issueSession(service.keys.SESSION_SIGNING_KEY, session, new Date())).token
      }),
    )
    const headers = { 'cf-connecting-ip': '192.0.2.9' }
    const answers = new Map<number, number>()
    for (let round = 0; round < 45 && !answers.has(429); round++) {
      const both = [...tokens, ...tokens.map(() => 'forged')]
      const calls = both.map((token) => service.call('DELETE', '/agents/hire?id=x', { token, headers }))
      for (const { status } of await Promise.all(calls)) answers.set(status, (answers.get(status) ?? 0) + 1)
    }
    const passed = (answers.get(400) ?? 0) + (answers.get(401) ?? 0)
    expect(passed).toBeGreaterThanOrEqual(1_200)
    expect(passed).toBeLessThanOrEqual(2_460)
    const refused = await service.call('GET', '/vault/stack', { token: 'forged', headers })
    expect(refused.status).toBe(405)
    const limited = await service.call('POST', '/vault/stack', { token: 'forged', headers })
    expect(limited.status).toBe(429)
    expect(limited.headers.get('ratelimit-policy')).toBe('"address";q=1200;w=60')
    // Another address is not concerned.
    expect((await service.call('GET', '/agents/hire', { token: 'forged' })).status).toBe(401)
  })
})
