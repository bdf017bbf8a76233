import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { sessionAccessOf } from '../../lib/http/operation.ts'
import { permissionsOf, readRoutes } from '../../lib/tools/description/routes.ts'
import { type Permission, permissions } from '../../schema/values.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { answerTo, type Service, startService } from '../support/service.ts'

const trusted = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    bindings: { OPERATOR_WALLETS: trusted.publicKey, ORACLE_WALLETS: trusted.publicKey },
  })
})
afterAll(() => service.stop())

async function logIn(asked: unknown, wallet: KeyWallet = createWallet()) {
  const challenge = await service.call('GET', '/auth/handshake')
  const body = { ...answerTo(challenge.body, wallet), permissions: asked }
  return service.call('POST', '/auth/handshake', { body })
}

describe('a login that asks for permissions', () => {
  it.each<[Permission[], Permission[]]>([
    [['agents:hire'], ['agents:hire']],
    [
      ['vault:transact', 'agents:hire', 'agents:hire'],
      ['agents:hire', 'vault:transact'],
    ],
    [[], []],
    [['agents:hire', 'oracle:decide', 'agents:moderate'], ['agents:hire']],
  ])('for %j gets %j, also in its token', async (asked, given) => {
    const session = await logIn(asked)
    expect(session.status).toBe(200)
    expect(session.body.permissions).toEqual(given)
    expect(decodeJwt(String(session.body.sessionToken)).permissions).toEqual(given)
  })

  it.each([
    [['agents:*'], 'permissions.0'],
    [['agents:hire', 'admin'], 'permissions.1'],
    [[null], 'permissions.0'],
    ['agents:hire', 'permissions'],
    [{ 0: 'agents:hire' }, 'permissions'],
    [Array(100).fill('agents:hire'), 'permissions'],
  ])('for %j is rejected by name, and its nonce still works', async (asked, path) => {
    const wallet = createWallet()
    const challenge = await service.call('GET', '/auth/handshake')
    const body = answerTo(challenge.body, wallet)
    const refused = await service.call('POST', '/auth/handshake', { body: { ...body, permissions: asked } })
    expect([refused.status, refusedPaths(refused)]).toEqual([400, [path]])
    expect((await service.call('POST', '/auth/handshake', { body })).status).toBe(200)
  })

  it('can leave out a role that its wallet has', async () => {
    expect((await logIn(['agents:hire'], trusted)).body.permissions).toEqual(['agents:hire'])
    expect((await logIn(['oracle:decide'], trusted)).body.permissions).toEqual(['oracle:decide'])
  })
})

describe('a session with few permissions', () => {
  const asking = async (given: Permission[], wallet?: KeyWallet) =>
    (await service.signIn(wallet, given)).token

  it('gets 403 where its permissions are not enough, even if its wallet has more', async () => {
    const routes = (await readRoutes()).filter((route) => permissionsOf(route).length > 0)
    expect(routes.length).toBeGreaterThan(15)
    for (const route of routes) {
      const needed = permissionsOf(route)
      const token = await asking(
        permissions.filter((each) => !needed.includes(each)),
        trusted,
      )
      const path = route.path
        .replace('{id}', '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d')
        .replace('{pubkey}', trusted.publicKey)
      const answer = await service.call(route.method, path, { token })
      expect([route.path, answer.status, answer.body.code]).toEqual([route.path, 403, 'permission_missing'])
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${needed.join(' ')}"`)
    }
  })

  it('changes nothing without a permission, except that it ends access', async () => {
    const open = (await readRoutes()).filter(
      (route) => route.method !== 'GET' && sessionAccessOf(route.access) && permissionsOf(route).length === 0,
    )
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /auth/revoke',
      'DELETE /oauth/grants/{id}',
    ])
  })

  it('that may only hire can not change an agent’s webhook', async () => {
    const owner = await service.signIn()
    const { id } = await register(owner.call)
    const token = await asking(['agents:hire'], owner.wallet)
    const body = { webhookUrl: 'https://evil.example.com/hook' }
    expect((await service.call('PATCH', `/agents/${id}`, { token, body })).status).toBe(403)
    expect((await owner.call('PATCH', `/agents/${id}`, { body })).status).toBe(200)
  })

  it('that may only moderate changes its wallet’s agents only as an operator', async () => {
    const owner = await service.signIn(trusted)
    const { id } = await register(owner.call)
    const token = await asking(['agents:moderate'], trusted)
    const patch = (body: object) => service.call('PATCH', `/agents/${id}`, { token, body })
    expect((await patch({ logoUrl: 'https://evil.example.com/' })).status).toBe(403)
    expect((await patch({ status: 'inactive' })).status).toBe(403)
    expect((await patch({ status: 'suspended', reason: 'x' })).status).toBe(200)
    expect((await patch({ status: 'inactive' })).status).toBe(200)
  })

  it('that may only register is not an operator, even if its wallet is', async () => {
    const { id } = await register((await service.signIn()).call)
    const token = await asking(['agents:register'], trusted)
    const body = { status: 'suspended', reason: 'x' }
    expect((await service.call('PATCH', `/agents/${id}`, { token, body })).status).toBe(403)
  })
})
