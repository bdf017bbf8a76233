import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credIn, mintOf, ownerTokensOf } from '../support/chain.ts'
import { type Service, startService } from '../support/service.ts'
import { NETWORK } from '../support/x402.ts'
import { PRICE, payableAgent, payerOf } from '../support/x402-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402'] })
})
afterAll(() => service.stop())

describe('a payment for a request', () => {
  it('is verified and settled once over HTTP, and stands in both lists', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    const before = await agent.credit()
    const request = await payer.sign(agent)
    expect(await agent.ask('verify', request)).toMatchObject({
      status: 200,
      body: { isValid: true, payer: payer.address },
    })
    const settled = await agent.ask('settle', request)
    expect(settled).toMatchObject({
      status: 200,
      body: { success: true, payer: payer.address, network: NETWORK, transaction: expect.any(String) },
    })
    expect((await agent.ask('settle', request)).body).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
    })
    expect(await credIn(service, await ownerTokensOf(service, agent.address))).toBe(BigInt(PRICE))
    expect(before - (await agent.credit())).toBe(10_001_000n)
    const payment = {
      agentId: agent.id,
      owner: agent.address,
      payer: payer.address,
      amount: PRICE,
      asset: mintOf(service),
      status: 'settled',
      transaction: settled.body.transaction,
    }
    const asOwner = await agent.call('GET', '/x402/payments?role=owner')
    expect(asOwner.body).toMatchObject({ count: 1, payments: [{ ...payment, debit: 10_001_000 }] })
    const asPayer = await (await payer.signIn()).call('GET', '/x402/payments?role=payer')
    expect(asPayer.body).toMatchObject({ count: 1, payments: [payment] })
    expect(asPayer.text).not.toContain('debit')
    expect((await agent.call('GET', '/x402/payments?role=payer')).body).toEqual({ payments: [], count: 0 })
  })
})
