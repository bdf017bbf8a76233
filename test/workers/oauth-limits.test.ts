import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { newConnections } from '../support/new-connections.ts'
import { oauthClient, postForm, queryOf, REDIRECT } from '../support/oauth.ts'
import { untilLimited } from '../support/rate-limits.ts'
import { type Service, startService } from '../support/service.ts'

const WALLET_LIMIT = 20
const HOST_LIMIT = 10
const ADDRESS_LIMIT = 40
const LOGIN_LIMIT = 100
/** Of token requests from an address. */
const PROOF_LIMIT = 130

let service: Service
let client: ReturnType<typeof oauthClient>
beforeAll(async () => {
  service = await startService({
    groups: ['auth'],
    rateLimits: true,
    limits: {
      WALLET_LIMIT,
      PUBLIC_WRITE_LIMIT: HOST_LIMIT,
      READ_LIMIT: ADDRESS_LIMIT,
      LOGIN_LIMIT,
      ADDRESS_LIMIT: PROOF_LIMIT,
    },
  })
  client = oauthClient(service)
})
afterAll(() => service.stop())

const isLimited = ({ status }: { status: number }) => status === 429

describe('token requests', () => {
  it('are counted by grant when the token is proven, since users of a web client share an address', async () => {
    const clientId = await client.registered()
    const tokens = await Promise.all(
      [createWallet(), createWallet()].map(async (wallet) => {
        const { body } = await client.redeem(await client.allow(clientId, wallet), clientId)
        return String(body.refresh_token)
      }),
    )
    const [busy = '', other = ''] = tokens
    // One of the limit was the code.
    const limited = await untilLimited(WALLET_LIMIT - 1, () => client.refresh(busy, clientId), isLimited)
    expect(limited.body).toMatchObject({ code: 'rate_limited', error: 'temporarily_unavailable' })
    expect(limited.headers.get('retry-after')).toBe('60')
    expect((await client.refresh(other, clientId)).status).toBe(200)
  })

  it('of an ended program use up none of the wallet’s others, nor their end', async () => {
    const wallet = createWallet()
    const [ended, other] = [await client.connect(wallet), await client.connect(wallet)]
    await postForm(service, '/oauth/revoke', { token: ended.refresh })
    const flood = () => client.refresh(ended.refresh, ended.clientId)
    // One of the limit was the code.
    await untilLimited(WALLET_LIMIT - 1, flood, isLimited)
    expect((await client.refresh(other.refresh, other.clientId)).status).toBe(200)
    expect((await postForm(service, '/oauth/revoke', { token: ended.refresh })).status).toBe(200)
    expect((await postForm(service, '/oauth/revoke', { token: other.refresh })).status).toBe(200)
  })

  it('are limited by address, apart from ends of connections, however many grants it has', async () => {
    const from = { 'cf-connecting-ip': '198.51.100.77' }
    const grants = await Promise.all(Array.from({ length: 8 }, () => client.connect()))
    let next = 0
    const refresh = () => {
      const { refresh: token, clientId } = grants[next++ % grants.length] ?? { refresh: '', clientId: '' }
      const members = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }
      return postForm(service, '/oauth/token', members, from)
    }
    await untilLimited(PROOF_LIMIT, refresh, isLimited)
    const end = await postForm(service, '/oauth/revoke', { token: grants[0]?.refresh ?? '' }, from)
    expect(end.status).toBe(200)
  })

  it('are counted by address when the token is forged', async () => {
    const from = (address: string) => ({ 'cf-connecting-ip': address })
    const forged = { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'forged' }
    const ask = () => postForm(service, '/oauth/token', forged, from('198.51.100.7'))
    const limited = await untilLimited(ADDRESS_LIMIT, ask, isLimited)
    expect(limited.body).toMatchObject({ code: 'rate_limited' })
    expect((await postForm(service, '/oauth/token', forged, from('198.51.100.8'))).status).toBe(400)
  })
})

describe('assertions', () => {
  it('are counted by address with logins, forged or not, and other token requests are not', async () => {
    const connections = newConnections(service)
    const { clientId, key } = await connections.allowKey()
    const from = { 'cf-connecting-ip': '198.51.100.9' }
    const forged = () => connections.ask(connections.assert(clientId, createWallet()), {}, from)
    const limited = await untilLimited(LOGIN_LIMIT, forged, isLimited)
    expect(limited.body).toMatchObject({ code: 'rate_limited', error: 'temporarily_unavailable' })
    expect(limited.headers.get('retry-after')).toBe('60')
    const login = await service.call('POST', '/auth/handshake', { body: {}, headers: from })
    expect(login.status).toBe(429)
    const ask = (headers: Record<string, string>) =>
      connections.ask(connections.assert(clientId, key), {}, headers)
    expect((await ask(from)).status).toBe(429)
    expect((await ask({ 'cf-connecting-ip': '198.51.100.10' })).status).toBe(200)
    const refresh = { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'forged' }
    expect((await postForm(service, '/oauth/token', refresh, from)).status).toBe(400)
  })

  it('are not counted by wallet, so that they leave its programs their limit', async () => {
    const connections = newConnections(service)
    const wallet = createWallet()
    const { clientId, key } = await connections.allowKey(wallet)
    const { refresh, clientId: program } = await client.connect(wallet)
    for (let i = 0; i <= WALLET_LIMIT; i++) {
      const from = { 'cf-connecting-ip': `203.0.113.${i}` }
      expect((await connections.ask(connections.assert(clientId, key), {}, from)).status).toBe(200)
    }
    expect((await client.refresh(refresh, program)).status).toBe(200)
  })
})

describe('reads of a metadata document', () => {
  it('are counted by host and address when many clients name it, and known ones are not read', async () => {
    const read: string[] = []
    service.onProbe(async ({ url }) => {
      read.push(url)
      return Response.json({ client_id: url, redirect_uris: [REDIRECT] })
    })
    const open = (url: string, address: string) =>
      service.call('GET', `/oauth/request?${queryOf(url)}`, { headers: { 'cf-connecting-ip': address } })
    const known = 'https://app.example.com/known.json'
    expect((await open(known, '198.51.100.20')).status).toBe(200)
    let count = 0
    const flood = () => open(`https://app.example.com/client-${++count}.json`, '198.51.100.21')
    const limited = await untilLimited(HOST_LIMIT, flood, isLimited)
    expect(limited.body.code).toBe('rate_limited')
    expect((await open(known, '198.51.100.21')).status).toBe(200)
    expect(read.filter((url) => url === known)).toHaveLength(1)
    expect((await open('https://app.example.com/new.json', '198.51.100.22')).status).toBe(200)
    const elsewhere = await open('https://other.example.com/client.json', '198.51.100.21')
    expect(elsewhere.body.code).toBe('invalid_redirect_uri')
  })
})
