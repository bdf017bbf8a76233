import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { answerTo, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents'] })
})
afterAll(() => service.stop())

/** The status of a login that names an agent, and the agent that its token carries. */
async function loginAs(agentId: string, wallet = createWallet()) {
  const challenge = await service.call('GET', '/auth/handshake')
  const body = { ...answerTo(challenge.body, wallet), agentId }
  const session = await service.call('POST', '/auth/handshake', { body })
  return {
    status: session.status,
    agentId: session.status === 200 && decodeJwt(String(session.body.sessionToken)).agentId,
  }
}

async function registered() {
  const { wallet, call } = await service.signIn()
  const body = { name: 'Courier', agentType: 'oracle', supportedLayers: [1] }
  const agent = await call('POST', '/agents/register', { body })
  return { wallet, id: String(agent.body.id) }
}

describe('a login that names an agent', () => {
  it("carries the wallet's own agent in its token, the id as it is stored", async () => {
    const { wallet, id } = await registered()
    expect(await loginAs(id, wallet)).toEqual({ status: 200, agentId: id })
    expect(await loginAs(id.toUpperCase(), wallet)).toEqual({ status: 200, agentId: id })
  })

  it("carries none for another wallet's agent", async () => {
    const { id } = await registered()
    expect(await loginAs(id)).toEqual({ status: 200, agentId: undefined })
  })

  it.each([
    '',
    'courier',
    '00000000-0000-7000-8000-000000000000',
    "' or true --",
    '\u0000',
    'a\u0000b',
    '\ud800',
    '😀'.repeat(64),
  ])('carries none for %j, which is no agent', async (agentId) => {
    expect(await loginAs(agentId)).toEqual({ status: 200, agentId: undefined })
  })

  it('is rejected with a longer text', async () => {
    expect(await loginAs('a'.repeat(65))).toEqual({ status: 400, agentId: false })
  })
})
