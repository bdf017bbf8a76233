import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { newConnections } from '../support/new-connections.ts'
import { oauthClient, postForm, REDIRECT } from '../support/oauth.ts'
import { untilLimited } from '../support/rate-limits.ts'
import { type Service, startService } from '../support/service.ts'

const WALLET_LIMIT = 20
const HOST_LIMIT = 10
const ADDRESS_LIMIT = 40
const LOGIN_LIMIT = 100

let service: Service
let client: ReturnType<typeof oauthClient>
beforeAll(async () => {
  service = await startService({
    groups: ['auth'],
    rateLimits: true,
    limits: { WALLET_LIMIT, PUBLIC_WRITE_LIMIT: HOST_LIMIT, READ_LIMIT: ADDRESS_LIMIT, LOGIN_LIMIT },
  })
  client = oauthClient(service)
})
afterAll(() => service.stop())

const isLimited = ({ status }: { status: number }) => status === 429

describe('token requests', () => {
  it('are counted by wallet when the token is proven, since users of a web client share an address', async () => {
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
  it('are counted by host when many clients name it', async () => {
    service.onProbe(async ({ url }) => Response.json({ client_id: url, redirect_uris: [REDIRECT] }))
    let count = 0
    const open = () => {
      count += 1
      return client.open(`https://app.example.com/client-${count}.json`)
    }
    const limited = await untilLimited(HOST_LIMIT, open, isLimited)
    expect(limited.body.code).toBe('rate_limited')
    const elsewhere = await client.open('https://other.example.com/client.json')
    expect(elsewhere.body.code).toBe('invalid_redirect_uri')
  })
})
