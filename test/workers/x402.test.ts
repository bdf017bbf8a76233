import { HTTPFacilitatorClient } from '@x402/core/http'
import { x402ResourceServer } from '@x402/core/server'
import { generatePaymentId } from '@x402/extensions/payment-identifier'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credIn, mintOf, ownerTokensOf, rowsOf } from '../support/chain.ts'
import { type Service, startService } from '../support/service.ts'
import { giveCred } from '../support/staker.ts'
import { NETWORK } from '../support/x402.ts'
import { PRICE, payableAgent, payerOf, requirementsOf } from '../support/x402-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402', 'events'] })
})
afterAll(() => service.stop())

describe('a payment for a request', () => {
  it('is verified and settled once over HTTP, and is in both lists', async () => {
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
      priceName: 'forecast',
      status: 'settled',
      signature: settled.body.transaction,
    }
    const asOwner = await agent.call('GET', '/x402/payments?role=owner')
    expect(asOwner.body).toMatchObject({ count: 1, payments: [{ ...payment, debit: 10_001_000 }] })
    const asPayer = await (await payer.signIn()).call('GET', '/x402/payments?role=payer')
    expect(asPayer.body).toMatchObject({ count: 1, payments: [payment] })
    expect(asPayer.text).not.toContain('debit')
    expect((await agent.call('GET', '/x402/payments?role=payer')).body).toEqual({ payments: [], count: 0 })
  })

  it('is listed page by page, newest first', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    for (let i = 0; i < 3; i++)
      expect((await agent.ask('settle', await payer.sign(agent))).body.success).toBe(true)
    const first = await agent.call('GET', '/x402/payments?role=owner&limit=2')
    expect(first.headers.get('link')).toContain(`cursor=${first.body.nextCursor}`)
    const last = await agent.call('GET', `/x402/payments?role=owner&limit=2&cursor=${first.body.nextCursor}`)
    expect([first.body.count, last.body.count, last.body.nextCursor]).toEqual([2, 1, undefined])
    const ids = [first, last].flatMap(({ body }) => (body.payments as { id: string }[]).map(({ id }) => id))
    expect(ids).toEqual([...ids].sort().reverse())
    for (const cursor of ['x', 'WyJ4Il0', 'bnVsbA'])
      expect(await agent.call('GET', `/x402/payments?role=owner&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'cursor' }] },
      })
    expect((await agent.call('GET', '/x402/payments')).body).toMatchObject({ errors: [{ path: 'role' }] })
  })
})

describe('the price of a payment', () => {
  const route = 'GET /forecast/:city'

  /** The newest payment in the owner's list, and in its log. */
  const newest = async (agent: Awaited<ReturnType<typeof payableAgent>>) => {
    const list = await agent.call('GET', '/x402/payments?role=owner&limit=1')
    const log = await agent.call('GET', '/events?sort=newest&limit=1')
    const [payment] = list.body.payments as Record<string, unknown>[]
    const [event] = log.body.events as { data: Record<string, unknown> }[]
    const shown = ({ priceName, url }: Record<string, unknown> = {}) => ({ priceName, url })
    expect(shown(event?.data)).toEqual(shown(payment))
    return shown(payment)
  }

  it('is in lists and events by its name and the agent’s URL, and never what a payer sent', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    await agent.setPrices([
      { name: route, amount: PRICE },
      { name: 'POST /forecast', amount: PRICE },
    ])
    const pay = async (extra: object) => {
      const asked = await payer.requirements(agent)
      const request = await payer.sign(agent, { extra: { ...asked.extra, ...extra } })
      const resource = { url: 'https://evil.example/private?token=1', description: 'evil' }
      const sent = { ...request, paymentPayload: { ...request.paymentPayload, resource } }
      expect((await agent.ask('settle', sent)).body).toMatchObject({ success: true })
    }
    await pay({})
    expect(await newest(agent)).toEqual({ priceName: route, url: undefined })
    const apiEndpoint = 'https://Api.example.com:443/v1/agent?x=1'
    expect((await agent.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint } })).status).toBe(200)
    await pay({ priceName: 'POST /forecast' })
    const url = 'https://api.example.com/forecast'
    expect(await newest(agent)).toEqual({ priceName: 'POST /forecast', url })
    await pay({ priceName: 'GET /elsewhere' })
    expect(await newest(agent)).toEqual({ priceName: undefined, url: undefined })
    const listed = (await agent.call('GET', '/x402/payments?role=owner')).text
    expect(listed).toContain('https://api.example.com/forecast/:city')
    expect(listed + (await agent.call('GET', '/events')).text).not.toContain('evil')
  })

  it('has a name of 128 characters at most', async () => {
    const agent = await payableAgent(service)
    const name = `GET /${'a'.repeat(123)}`
    expect((await agent.setPrices([{ name, amount: 1 }])).status).toBe(200)
    expect(await agent.terms()).toMatchObject({ accepts: [{ price: { extra: { priceName: name } } }] })
    expect(await agent.setPrices([{ name: `${name}a`, amount: 1 }])).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'prices.0.name' }] },
    })
  })
})

describe('a payment identifier', () => {
  it('is announced, and lets one of two payments pass, with the first’s signature for the other', async () => {
    const agent = await payableAgent(service)
    expect((await agent.supported()).body).toMatchObject({
      extensions: ['bazaar', 'payment-identifier'],
    })
    const payer = await payerOf(service)
    const id = generatePaymentId()
    const identified = async () => {
      const request = await payer.sign(agent)
      const extensions = { 'payment-identifier': { info: { required: false, id } } }
      return { ...request, paymentPayload: { ...request.paymentPayload, extensions } }
    }
    const [first, second] = [await identified(), await identified()]
    const paid = await agent.ask('settle', first)
    expect(paid.body).toMatchObject({ success: true })
    const before = await agent.credit()
    expect((await agent.ask('settle', second)).body).toMatchObject({
      success: false,
      errorReason: 'payment_identifier_used',
      transaction: paid.body.transaction,
      payer: payer.address,
    })
    expect((await agent.ask('verify', second)).body).toMatchObject({
      isValid: false,
      invalidReason: 'payment_identifier_used',
    })
    expect(await agent.credit()).toBe(before)
    expect(await credIn(service, await ownerTokensOf(service, agent.address))).toBe(BigInt(PRICE))
    const malformed = await payer.sign(agent)
    malformed.paymentPayload.extensions = { 'payment-identifier': { info: { id: 'short' } } }
    expect((await agent.ask('settle', malformed)).body).toMatchObject({ errorReason: 'invalid_payload' })
  })
})

describe('an agent’s price list', () => {
  it('is what a stock server makes its requirements of, and the facilitator takes', async () => {
    const agent = await payableAgent(service)
    const terms = await agent.terms()
    expect(terms).toMatchObject({
      agentId: agent.id,
      network: NETWORK,
      ready: true,
      missing: [],
      prices: [{ name: 'forecast', amount: PRICE, asset: mintOf(service) }],
    })
    const url = `${service.origin}/v1/x402/k/${agent.key}`
    const server = new x402ResourceServer(new HTTPFacilitatorClient({ url })).register(
      NETWORK,
      new ExactSvmScheme(),
    )
    await server.initialize()
    const options = terms.accepts as Parameters<typeof server.buildPaymentRequirementsFromOptions>[0]
    const built = await server.buildPaymentRequirementsFromOptions(options, undefined as never)
    const requirements = requirementsOf(terms, (await agent.supported()).body)
    expect(built).toEqual([requirements])
    expect(requirements).toEqual({
      scheme: 'exact',
      network: NETWORK,
      amount: String(PRICE),
      asset: mintOf(service),
      payTo: agent.address,
      maxTimeoutSeconds: 60,
      extra: {
        agentId: agent.id,
        priceName: 'forecast',
        paymentFlow: 'upfront',
        feePayer: terms.feePayer,
      },
    })
    const { paymentPayload } = await (await payerOf(service)).sign(agent)
    const [first] = built
    if (!first) throw new Error('no requirements')
    expect(await server.verifyPayment(paymentPayload, first)).toMatchObject({ isValid: true })
    expect(await server.settlePayment(paymentPayload, first)).toMatchObject({ success: true })
  })

  it('is read for one kind of request by its name', async () => {
    const agent = await payableAgent(service)
    await agent.setPrices([
      { name: 'b', amount: 2 },
      { name: 'a', amount: 1 },
    ])
    expect(((await agent.terms()).prices as { name: string }[]).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await agent.terms('?name=b')).toMatchObject({
      prices: [{ name: 'b', amount: 2 }],
      accepts: [{ price: { amount: '2' } }],
    })
    expect(await agent.terms('?name=forecast')).toMatchObject({ status: 404, code: 'price_not_found' })
    const nobody = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
    expect(await service.call('GET', `/x402/agents/${nobody}`)).toMatchObject({ status: 404 })
  })

  it('says which account is missing, and that an inactive agent can not be paid', async () => {
    const agent = await payableAgent(service)
    await rowsOf(service, "update agents set status = 'inactive' where id = $1", agent.id)
    expect(await agent.terms()).toMatchObject({ ready: false, missing: [] })
    const without = await service.signIn()
    const { body } = await without.call('POST', '/agents/register', {
      body: { name: 'Scout', agentType: 'autonomous', supportedLayers: [17] },
    })
    const prices = { prices: [{ name: 'x', amount: 1 }] }
    expect((await without.call('PUT', `/x402/agents/${body.id}/prices`, { body: prices })).status).toBe(200)
    const address = await ownerTokensOf(service, without.wallet.publicKey)
    expect((await service.call('GET', `/x402/agents/${body.id}`)).body).toMatchObject({
      ready: false,
      missing: [{ asset: mintOf(service), address }],
    })
    await giveCred(service, without.wallet.publicKey, 0)
    await service.clock.travelTo(service.clock.now() + 11_000)
    expect((await service.call('GET', `/x402/agents/${body.id}`)).body).toMatchObject({ ready: true })
  })

  it('asks the network about accounts once in ten seconds when it is read five times', async () => {
    const agent = await payableAgent(service)
    const read = async () => expect(await agent.terms()).toMatchObject({ ready: true })
    await read()
    const again = async () => {
      for (let n = 0; n < 5; n += 1) await read()
    }
    expect(await service.countRpc(again)).toBe(0)
    await service.clock.travelTo(service.clock.now() + 11_000)
    expect(await service.countRpc(again)).toBe(1)
  })

  it('has an ETag', async () => {
    const agent = await payableAgent(service)
    const path = `/x402/agents/${agent.id}`
    const { headers } = await service.call('GET', path)
    const again = await service.call('GET', path, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    })
    expect(again.status).toBe(304)
  })

  it('is set by its owner only, with valid names and assets', async () => {
    const agent = await payableAgent(service)
    const other = await service.signIn()
    const path = `/x402/agents/${agent.id}/prices`
    const body = { prices: [{ name: 'x', amount: 1 }] }
    expect(await other.call('PUT', path, { body })).toMatchObject({
      status: 404,
      body: { code: 'agent_not_found' },
    })
    expect(await service.call('PUT', path, { body })).toMatchObject({ status: 401 })
    const hirer = await service.signIn(undefined, ['agents:hire'])
    expect(await hirer.call('PUT', path, { body })).toMatchObject({ status: 403 })
    const refusals: [unknown, string][] = [
      [[{ name: 'x', amount: 0 }], 'prices.0.amount'],
      [[{ name: 'x', amount: 1.5 }], 'prices.0.amount'],
      [[{ name: '', amount: 1 }], 'prices.0.name'],
      [[{ name: 'x', amount: 1, asset: agent.address }], 'prices.0.asset'],
      [[{ name: 'x', amount: 1, asset: 'SOL' }], 'prices.0.asset'],
      [
        [
          { name: 'x', amount: 1 },
          { name: 'x', amount: 2 },
        ],
        'prices.1.name',
      ],
      [[{ name: 'x', amount: 1, other: 1 }], 'prices.0.other'],
      [Array.from({ length: 51 }, (_, i) => ({ name: `n${i}`, amount: 1 })), 'prices'],
      [null, 'prices'],
    ]
    for (const [prices, field] of refusals)
      expect(await agent.setPrices(prices), field).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: field }] },
      })
    expect(
      await agent.setPrices(Array.from({ length: 50 }, (_, i) => ({ name: `n${i}`, amount: i + 1 }))),
    ).toMatchObject({
      status: 200,
    })
    expect(await agent.setPrices([])).toMatchObject({ status: 200, body: { agentId: agent.id, prices: [] } })
  })

  it('changed too often is refused until superseded prices have ended', async () => {
    const agent = await payableAgent(service)
    const fifty = (from: number) =>
      Array.from({ length: 50 }, (_, i) => ({ name: `n${i}`, amount: from + i }))
    for (let i = 1; i <= 4; i++) expect((await agent.setPrices(fifty(i * 100))).status).toBe(200)
    const refused = await agent.setPrices(fifty(900))
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toBe('600')
  })
})
