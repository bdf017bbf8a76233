import { base64urlnopad } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateKeySecret } from '../../lib/tools/keys/x402.ts'
import { writeFacilitatorKey } from '../../lib/x402/keys/facilitator-key.ts'
import { rowsOf } from '../support/chain.ts'
import { type Service, startService } from '../support/service.ts'
import { giveCred, rpc } from '../support/staker.ts'
import { type PayableAgent, PRICE, payableAgent, payerOf, setCredit } from '../support/x402-service.ts'

let service: Service
let agent: PayableAgent
let payer: Awaited<ReturnType<typeof payerOf>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402'] })
})
afterAll(() => service.stop())

/** Refused alike by both calls, with 200; nothing is recorded and no credit used. */
async function expectRefused(request: unknown, reason: string, key = agent.key) {
  const before = await agent.credit()
  const count = () => rowsOf(service, 'select count(*) from request_payments')
  const recorded = await count()
  expect(await agent.ask('verify', request, key), reason).toMatchObject({
    status: 200,
    body: { isValid: false, invalidReason: reason, invalidMessage: expect.any(String) },
  })
  expect(await agent.ask('settle', request, key), reason).toMatchObject({
    status: 200,
    body: { success: false, errorReason: reason, transaction: '' },
  })
  expect([await agent.credit(), await count()]).toEqual([before, recorded])
}

describe('a key of the facilitator', () => {
  beforeAll(async () => {
    agent = await payableAgent(service)
    payer = await payerOf(service)
  })

  it('is made by the agent’s owner only, is in a URL, and is in no log', async () => {
    const path = `/x402/agents/${agent.id}/key`
    expect(await (await service.signIn()).call('POST', path)).toMatchObject({
      status: 404,
      body: { code: 'agent_not_found' },
    })
    expect((await service.call('POST', path)).status).toBe(401)
    const hirer = await service.signIn(undefined, ['agents:hire'])
    expect((await hirer.call('POST', path)).status).toBe(403)
    const { status, body } = await agent.call('POST', path)
    expect(status).toBe(201)
    agent.key = String(body.key)
    expect(body).toMatchObject({
      agentId: agent.id,
      generation: expect.any(Number),
      url: `${service.origin}/v1/x402/k/${body.key}`,
    })
    expect((await agent.supported(agent.key)).status).toBe(200)
    expect(JSON.stringify(service.logs.lines)).not.toContain(agent.key)
    const stored = await rowsOf(
      service,
      'select generation from facilitator_keys where agent_id = $1',
      agent.id,
    )
    expect(stored).toEqual([[String(body.generation)]])
  })

  it('ends the one before at once, for payments that are recorded, too', async () => {
    const request = await payer.sign(agent)
    const former = agent.key
    expect((await agent.ask('verify', request, former)).body).toMatchObject({ isValid: true })
    agent.key = await agent.makeKey()
    await expectRefused(request, 'key_ended', former)
    expect((await agent.ask('settle', request, agent.key)).body).toMatchObject({ success: true })
  })

  it('is refused with another agent, version or secret in it, in every call', async () => {
    const other = await payableAgent(service)
    const bytes = base64urlnopad.decode(agent.key)
    const changed = (at: number, byte: number) =>
      base64urlnopad.encode(bytes.map((old, index) => (index === at ? byte : old)))
    const ofOther = new Uint8Array([...base64urlnopad.decode(other.key).slice(0, 20), ...bytes.slice(20)])
    const forged = [
      changed(16, (bytes[16] ?? 0) + 1),
      changed(51, (bytes[51] ?? 0) ^ 1),
      base64urlnopad.encode(ofOther),
      await writeFacilitatorKey(generateKeySecret(), { agentId: agent.id, keyVersion: 9 }),
      'x',
      `${agent.key}A`,
    ]
    const request = await payer.sign(agent)
    const sql = await service.countSql(async () => {
      for (const key of forged) {
        const refused = { status: 404, body: { code: 'facilitator_key_unknown' } }
        expect(await agent.ask('verify', request, key), key).toMatchObject(refused)
        expect(await agent.ask('settle', request, key), key).toMatchObject(refused)
        expect(await agent.supported(key), key).toMatchObject(refused)
      }
    })
    expect(sql).toBe(0)
  })

  it('of a version that was never made is refused', async () => {
    const { X402_KEY_SECRET } = service.solana.bindings
    const ahead = await writeFacilitatorKey(X402_KEY_SECRET, { agentId: agent.id, keyVersion: 1_000 })
    await expectRefused(await payer.sign(agent), 'key_ended', ahead)
  })

  it('settles payments of its own agent alone', async () => {
    const other = await payableAgent(service)
    const request = await payer.sign(agent)
    await expectRefused(request, 'invalid_payment_requirements', other.key)
    const asIts = {
      ...request.paymentRequirements,
      extra: { ...request.paymentRequirements.extra, agentId: other.id },
    }
    await expectRefused(
      { ...request, paymentRequirements: asIts },
      'invalid_exact_svm_payload_recipient_mismatch',
      other.key,
    )
    const paidToIt = { ...asIts, payTo: other.address }
    await expectRefused(
      { ...request, paymentRequirements: paidToIt },
      'invalid_exact_svm_payload_recipient_mismatch',
      other.key,
    )
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })
})

describe('a payment that is refused', () => {
  beforeAll(async () => {
    agent = await payableAgent(service)
    payer = await payerOf(service)
  })

  it('is answered 200 with any reason', async () => {
    const request = await payer.sign(agent)
    const { paymentPayload, paymentRequirements } = request
    const asked = (changes: object) => ({
      ...request,
      paymentRequirements: { ...paymentRequirements, ...changes },
    })
    await expectRefused({ ...request, paymentPayload: {} }, 'invalid_payload')
    await expectRefused({ ...request, paymentRequirements: {} }, 'invalid_payment_requirements')
    await expectRefused(
      { ...request, paymentPayload: { ...paymentPayload, x402Version: 1 } },
      'invalid_x402_version',
    )
    await expectRefused(asked({ amount: String(PRICE - 1) }), 'invalid_payment_requirements')
    await expectRefused(asked({ payTo: payer.address }), 'invalid_exact_svm_payload_recipient_mismatch')
    await expectRefused(
      asked({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
      'invalid_exact_svm_network_mismatch',
    )
    await giveCred(service, payer.address, PRICE - 1)
    await expectRefused(request, 'insufficient_funds')
    await giveCred(service, payer.address, PRICE)
    const credit = await agent.credit()
    await setCredit(service, agent.address, 10_000_999n)
    await expectRefused(request, 'credit_exhausted')
    await setCredit(service, agent.address, credit)
    await rowsOf(service, "update agents set status = 'inactive' where id = $1", agent.id)
    await expectRefused(request, 'invalid_payment_requirements')
    await rowsOf(service, "update agents set status = 'active' where id = $1", agent.id)
    await agent.setPrices([{ name: 'forecast', amount: PRICE + 1 }])
    // A superseded price holds for ten minutes.
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })

  it('by no price of the agent is refused before the network is asked', async () => {
    const other = await payableAgent(service)
    const request = await payer.sign(other)
    await other.setPrices([])
    await rowsOf(service, 'delete from request_prices where agent_id = $1', other.id)
    const calls = await service.countRpc(() => other.ask('settle', request))
    expect(calls).toBe(0)
  })

  it('has a body in the form of the specification, else 400 and the field', async () => {
    const { paymentPayload, paymentRequirements } = await payer.sign(agent)
    const refusals: [unknown, string][] = [
      [{}, 'paymentPayload'],
      [{ paymentPayload }, 'paymentRequirements'],
      [{ paymentPayload: 'x', paymentRequirements }, 'paymentPayload'],
      [{ paymentPayload, paymentRequirements: null }, 'paymentRequirements'],
      [{ x402Version: '2', paymentPayload, paymentRequirements }, 'x402Version'],
      [
        { paymentPayload: { ...paymentPayload, resource: '\0' }, paymentRequirements },
        'paymentPayload.resource',
      ],
    ]
    for (const what of ['verify', 'settle'] as const) {
      for (const [body, field] of refusals)
        expect(await agent.ask(what, body), field).toMatchObject({
          status: 400,
          body: {
            code: 'invalid_request',
            errors: expect.arrayContaining([expect.objectContaining({ path: field })]),
          },
        })
      const path = `/x402/k/${agent.key}/${what}`
      const headers = { 'content-type': 'application/json' }
      const send = (raw: string, its: Record<string, string> = headers) =>
        service.call('POST', path, { raw, headers: its })
      expect(await send('{')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
      expect(await send('[]')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(await send('{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
      expect(await send(JSON.stringify({ paymentPayload: 'x'.repeat(70_000) }))).toMatchObject({
        status: 413,
      })
      const deep = `{"paymentPayload":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)},"paymentRequirements":{}}`
      expect(await send(deep)).toMatchObject({ status: 200 })
    }
    expect(await service.call('GET', `/x402/k/${agent.key}/settle`)).toMatchObject({ status: 405 })
  })

  it('names an older fee payer of the service, and is settled by it', async () => {
    const { X402_FEE_PAYER_KEY: older } = service.solana.bindings
    const { addFeePayer, newestFeePayer } = await import('../../lib/tools/keys/x402.ts')
    agent = await payableAgent(service)
    const request = await payer.sign(agent, {})
    const both = addFeePayer(older)
    const added = newestFeePayer(both.X402_FEE_PAYER_KEY)
    await rpc(service, 'requestAirdrop', [added, 1_000_000_000])
    await giveCred(service, payer.address, PRICE * 10)
    await service.redeploy(both)
    expect((await agent.supported()).body).toMatchObject({
      kinds: [{ extra: { feePayer: added } }],
      signers: { 'solana:*': [newestFeePayer(older), added] },
    })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
    const next = await payer.sign(agent)
    expect(next.paymentRequirements.extra?.feePayer).toBe(added)
    expect((await agent.ask('settle', next)).body).toMatchObject({ success: true })
    const late = await payer.sign(agent)
    await service.redeploy({})
    await expectRefused(late, 'invalid_exact_svm_fee_payer_not_managed_by_facilitator')
  })

  it('works under a new secret of keys next to the former one', async () => {
    const { X402_KEY_SECRET: older } = service.solana.bindings
    const { addKeySecret } = await import('../../lib/tools/keys/x402.ts')
    await service.redeploy(addKeySecret(older))
    expect((await agent.supported()).status).toBe(200)
    const { body } = await agent.call('POST', `/x402/agents/${agent.id}/key`)
    await service.redeploy({})
    expect((await agent.supported(String(body.key))).status).toBe(404)
    expect((await agent.supported()).status).toBe(200)
  })
})
