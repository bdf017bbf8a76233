import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { callRaw } from '../support/mcp.ts'
import { oauthClient } from '../support/oauth.ts'
import { type Body, type Service, startService } from '../support/service.ts'

/* What a program with a spending limit can do by the tools. */

let service: Service
let client: ReturnType<typeof oauthClient>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'mcp', 'agents', 'events'] })
  client = oauthClient(service)
})
afterAll(() => service.stop())

/** Calls a tool, and returns what it answered: the result, or the error's reason. */
async function call(access: string, name: string, args: object): Promise<Body> {
  const { status, body } = await callRaw(service, name, args, { authorization: `Bearer ${access}` })
  if (status !== 200) return { status, ...body }
  const result = Object(body.result)
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent
}

describe('a program with a spending limit', () => {
  it('hires within it, and is refused beyond it', async () => {
    const owner = await service.signIn()
    const agents = await Promise.all([1, 2, 3].map(() => register(owner.call)))
    const [first, second, third] = agents.map(({ id }) => String(id))
    const wallet = createWallet()
    const { access } = await client.connect(wallet, { permissions: ['agents:hire'], spendLimit: 5 })
    const hire = (agentId: string | undefined, more: object = {}) =>
      call(access, 'hire_agent', { agentId, ...more })

    expect(await hire(first)).toMatchObject({ code: 'invalid_request', errors: [{ path: 'budgetLimit' }] })
    expect(await hire(first, { budgetLimit: '1', autoRenew: true })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'autoRenew' }],
    })
    expect(await hire(first, { budgetLimit: '3' })).toMatchObject({ status: 'active', budgetLimit: '3' })
    expect(await hire(second, { budgetLimit: '3' })).toMatchObject({
      code: 'spend_limit_exceeded',
      detail: 'The client may spend 2 more lamports.',
    })
    expect(await hire(second, { budgetLimit: '2' })).toMatchObject({ status: 'active' })
    const { hires } = await call(access, 'list_my_hires', {})
    for (const { id } of hires as { id: string }[]) await call(access, 'end_hire', { id })
    expect(await hire(third, { budgetLimit: '1' })).toMatchObject({ code: 'spend_limit_exceeded' })

    const { call: asWallet } = await service.signIn(wallet)
    const { body } = await asWallet('GET', '/oauth/grants')
    expect(body.connections).toMatchObject([{ spendLimit: 5, committed: 5 }])
  })

  it('tells its wallet’s log, and is stopped at once when it is ended', async () => {
    const wallet = createWallet()
    const { access } = await client.connect(wallet, { permissions: ['agents:hire'], spendLimit: 5, days: 30 })
    const { call: asWallet } = await service.signIn(wallet)
    const { events } = (await asWallet('GET', '/events')).body as { events: Body[] }
    const [connection] = (await asWallet('GET', '/oauth/grants')).body.connections as { id: string }[]
    expect(events).toMatchObject([
      {
        type: 'access.granted',
        data: { grantId: connection?.id, name: 'Example Assistant', host: 'app.example.com', spendLimit: 5 },
      },
    ])
    await asWallet('DELETE', `/oauth/grants/${connection?.id}`)
    expect(await call(access, 'list_my_hires', {})).toMatchObject({ status: 401, code: 'session_revoked' })
  })
})
