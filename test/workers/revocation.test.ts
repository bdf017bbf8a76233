import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw } from '../support/mcp.ts'
import { openRequests } from '../support/openapi-requests.ts'
import { operations } from '../support/openapi-texts.ts'

/**
 * Operations with a session that do not read the database, so a revoked session may call them until it
 * expires. The socket's reads only on a handshake (live.test), balances are public on the chain, a purchase
 * of more than the wallet has is refused by the chain, and the message to MCP reads public data.
 */
const WITHOUT_DATABASE = [
  'getBalances undefined',
  'buyCredit funds_short',
  'listenToEvents upgrade_required',
  'callMcpOfWallet undefined',
]

let requests: Awaited<ReturnType<typeof openRequests>>
beforeAll(async () => {
  requests = await openRequests()
})
afterAll(() => requests.service.stop())

const revoke = (token: string) => requests.service.call('POST', '/auth/revoke', { token })
const listHires = (token: string) => requests.service.call('GET', '/agents/hire', { token })
const REVOKED = { status: 401, body: { code: 'session_revoked' } }

describe('a revoked session', () => {
  it('is rejected by every operation that takes a session', async () => {
    const { service, send, wallet } = requests
    const { token } = await service.signIn(wallet)
    expect(await revoke(token)).toMatchObject({ status: 200, body: { status: 'REVOKED' } })
    const guarded = operations.filter(({ needsSession }) => needsSession)
    expect(guarded.length).toBeGreaterThan(35)
    const open: string[] = []
    for (const operation of guarded) {
      const { body } = await send(operation, { token })
      if (body.code !== 'session_revoked') open.push(`${operation.id} ${body.code}`)
    }
    expect(open).toEqual(WITHOUT_DATABASE)
  })

  it('gets 401 session_revoked', async () => {
    const { token } = await requests.service.signIn()
    await revoke(token)
    const refused = await listHires(token)
    expect(refused).toMatchObject(REVOKED)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="agentcred", error="invalid_token"')
  })

  it('is rejected by the MCP server like a bad token, so that clients get another', async () => {
    const { token } = await requests.service.signIn()
    const headers = { authorization: `Bearer ${token}` }
    expect((await callRaw(requests.service, 'list_my_hires', {}, headers)).status).toBe(200)
    await revoke(token)
    expect(await callRaw(requests.service, 'list_my_hires', {}, headers)).toMatchObject(REVOKED)
  })

  it('can not revoke later sessions', async () => {
    const { service } = requests
    const { wallet, token } = await service.signIn()
    await revoke(token)
    const later = await service.signIn(wallet)
    expect(await revoke(token)).toMatchObject(REVOKED)
    expect((await listHires(later.token)).status).toBe(200)
  })
})

describe('revoking', () => {
  it('ends all sessions of the wallet and none of another', async () => {
    const { service } = requests
    const { wallet, token } = await service.signIn()
    const few = await service.signIn(wallet, [])
    const other = await service.signIn()
    expect((await revoke(few.token)).status).toBe(200)
    expect(await listHires(token)).toMatchObject(REVOKED)
    expect((await listHires(other.token)).status).toBe(200)
  })

  it('lets the wallet log in again, with the next session epoch', async () => {
    const { service } = requests
    const { wallet, token } = await service.signIn()
    expect(decodeJwt(token).gen).toBe(0)
    for (const epoch of [1, 2]) {
      await revoke((await service.signIn(wallet)).token)
      const session = await service.signIn(wallet)
      expect(decodeJwt(session.token).gen).toBe(epoch)
      expect((await listHires(session.token)).status).toBe(200)
    }
  })

  it('needs one SQL statement, as a read of a session does', async () => {
    const { service } = requests
    const { token } = await service.signIn()
    expect(await service.countSql(() => listHires(token))).toBe(1)
    expect(await service.countSql(() => revoke(token))).toBe(1)
  })
})
