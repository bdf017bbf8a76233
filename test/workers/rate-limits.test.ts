import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../lib/auth/session/token.ts'
import { countWindows, untilLimited } from '../support/rate-limits.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { newWallet } from '../support/stored-agents.ts'

const ADDRESS_LIMIT = 200

let service: Service
beforeAll(async () => {
  service = await startService({ rateLimits: true, limits: { ADDRESS_LIMIT } })
})
afterAll(() => service.stop())

const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } })

const isLimited = ({ status }: Answer) => status === 429

describe('with rate limits on', () => {
  it('limits an address to 30 challenges and 30 logins a minute, with Retry-After', async () => {
    const challenge = () => service.call('GET', '/auth/handshake', from('192.0.2.1'))
    const { body, headers } = await untilLimited(30, challenge, isLimited)
    expect(body).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(headers.get('retry-after')).toBe('60')
    expect(headers.get('ratelimit-policy')).toBe('"login";q=30;w=60')
    expect((await service.call('GET', '/auth/handshake', from('192.0.2.2'))).status).toBe(200)
    const answer = { nonce: 'a', signature: 'b', publicKey: 'c' }
    const login = () => service.call('POST', '/auth/handshake', { body: answer, ...from('192.0.2.1') })
    await untilLimited(30, login, isLimited)
  })

  it('counts the addresses of one IPv6 subscriber together', async () => {
    let host = 0
    // Each from another /64 of one /56.
    const request = () =>
      service.call(
        'GET',
        '/auth/handshake',
        from(`2001:db8:1:2${(++host % 256).toString(16).padStart(2, '0')}::1`),
      )
    await untilLimited(30, request, isLimited)
    expect((await service.call('GET', '/auth/handshake', from('2001:db8:1:300::1'))).status).toBe(200)
  })

  it('counts Workers of other zones by zone, and other callers by address', async () => {
    const challenge = (address: string, zone: string) =>
      service.call('GET', '/auth/handshake', {
        headers: { 'cf-connecting-ip': address, 'cf-worker': zone },
      })
    const workers = '2a06:98c0:3600::103'
    await untilLimited(30, () => challenge(workers, 'loud.example'), isLimited)
    expect((await challenge(workers, 'quiet.example')).status).toBe(200)
    let zone = 0
    await untilLimited(30, () => challenge('192.0.2.11', `zone-${++zone}.example`), isLimited)
  })

  it('limits an address to 10 deep health checks a minute, but not shallow ones', async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.4' }
    const refuse = () => {
      throw new Error('connection refused')
    }
    const deep = async () => {
      // The earlier result has expired: each call that passes asks again.
      await service.clock.travelTo(service.clock.now() + 6_000)
      return service.call('GET', '/health?deep=1', { headers })
    }
    const answers: Answer[] = []
    const windows = countWindows()
    const asked = await service.countRpc(() =>
      service.withFault(refuse, async () => {
        do answers.push(await deep())
        while (!answers.some(isLimited))
      }),
    )
    const limited = answers.filter(isLimited)
    expect(limited[0]?.headers.get('ratelimit-policy')).toBe('"health";q=10;w=60')
    const passed = answers.length - limited.length
    expect(asked).toBe(passed)
    expect(passed).toBeGreaterThanOrEqual(10)
    expect(passed).toBeLessThanOrEqual(10 * windows())
    expect((await service.call('GET', '/health', { headers })).status).toBe(200)
    expect((await service.call('GET', '/health?deep=1', from('192.0.2.5'))).status).toBe(200)
  })

  it('limits a wallet to 120 requests a minute from all addresses', async () => {
    const { call } = await service.signIn()
    let n = 0
    const request = () => call('DELETE', '/agents/hire?id=x', from(`198.51.100.${++n % 250}`))
    const { headers } = await untilLimited(120, request, isLimited)
    expect(headers.get('ratelimit-policy')).toBe('"wallet";q=120;w=60')
  })

  it('lets an owner end a stolen session whose calls are used up, and log in again', async () => {
    const { call, wallet } = await service.signIn()
    let n = 0
    const steal = () => call('DELETE', '/agents/hire?id=x', from(`203.0.113.${++n % 250}`))
    await untilLimited(120, steal, isLimited)
    expect((await call('POST', '/auth/revoke', from('192.0.2.20'))).status).toBe(200)
    const again = await service.signIn(wallet)
    expect((await again.call('GET', '/oauth/grants', from('192.0.2.20'))).status).toBe(200)
  })

  it('limits a wallet in all sessions together, though each login begins a new limit', async () => {
    const wallet = newWallet()
    const tokens = await Promise.all(
      [0, 1, 2].map(async (epoch) => {
        const session = { wallet, epoch, permissions: ['agents:hire' as const] }
        return (await issueSession(service.keys.SESSION_SIGNING_KEY, session, new Date())).token
      }),
    )
    let n = 0
    const request = () => {
      n += 1
      return service.call('DELETE', '/agents/hire?id=x', {
        token: tokens[n % tokens.length],
        headers: { 'cf-connecting-ip': `203.0.113.${n % 250}` },
      })
    }
    const { headers } = await untilLimited(ADDRESS_LIMIT, request, isLimited)
    expect(headers.get('ratelimit-policy')).toBe('"wallet-total";q=1200;w=60')
  })

  it('limits an address to 60 signed registrations a minute, also failed ones', async () => {
    const body = { pubkey: 'none' }
    const request = () => service.call('POST', '/registry/agents', { body, ...from('192.0.2.3') })
    const { headers } = await untilLimited(60, request, isLimited)
    expect(headers.get('ratelimit-policy')).toBe('"public-write";q=60;w=60')
  })
})

describe('a caller with many wallets', () => {
  it('is limited by address, also with invalid tokens', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const session = { wallet: newWallet(), permissions: ['agents:hire' as const] }
        return (await issueSession(service.keys.SESSION_SIGNING_KEY, session, new Date())).token
      }),
    )
    const headers = { 'cf-connecting-ip': '192.0.2.9' }
    const statuses = new Set<number>()
    let sent = 0
    // Of two Workers, which count together.
    const request = async () => {
      const token = sent % 3 === 0 ? tokens[sent % tokens.length] : 'forged'
      const [method, path] = sent++ % 3 === 2 ? ['POST', '/vault/stack'] : ['DELETE', '/agents/hire?id=x']
      const answer = await service.call(method, path, { token, headers })
      statuses.add(answer.status)
      return answer
    }
    const limited = await untilLimited(ADDRESS_LIMIT, request, isLimited)
    expect(limited.headers.get('ratelimit-policy')).toBe('"address";q=1200;w=60')
    expect([...statuses].sort()).toEqual([400, 401, 429])
    const refused = await service.call('GET', '/vault/stack', { token: 'forged', headers })
    expect(refused.status).toBe(405)
    // Another address is not concerned.
    expect((await service.call('GET', '/agents/hire', { token: 'forged' })).status).toBe(401)
  })
})
