import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import type { RouteConfig } from '@x402/core/server'
import { generatePaymentId } from '@x402/extensions/payment-identifier'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { paidApi } from '../../lib/cli/demo/paid-api.ts'
import { payingFetch } from '../../lib/cli/demo/paying-fetch.ts'
import { credIn, mintOf, ownerTokensOf } from '../support/chain.ts'
import { type Fault, type Service, startService } from '../support/service.ts'
import { giveCred } from '../support/staker.ts'
import { type PayableAgent, PRICE, payableAgent, payerOf } from '../support/x402-service.ts'

/*
 * An agent's API and its customer, both of published packages as they are: @x402/hono, @x402/fetch,
 * @x402/svm. The two files of lib/cli/demo are what lib/x402/walk.md shows.
 */

let service: Service
let agent: PayableAgent
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'x402', 'events'],
    // So that a call which does not see the payment land gives up at once.
    constants: { x402: { POLLS: 2 } },
  })
  agent = await payableAgent(service)
})
afterAll(() => service.stop())

/** The API of README.md, and how often it has done its work. */
async function openApi() {
  const done: number[] = []
  const facilitator = `${service.origin}/v1/x402/k/${agent.key}`
  const { accepts } = await agent.terms('?name=forecast')
  const app = paidApi(facilitator, accepts as RouteConfig['accepts'], () => {
    done.push(Date.now())
    return 'sunny'
  })
  const listening = await new Promise<{ port: number; close: () => void }>((resolve) => {
    const server = serve(
      { fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
      ({ port }) => resolve({ port, close: () => server.close() }),
    )
  })
  onTestFinished(() => listening.close())
  return { url: `http://127.0.0.1:${listening.port}/forecast`, done }
}

type Payer = Awaited<ReturnType<typeof payerOf>>
const payingAs = ({ keypair }: Payer) => payingFetch(keypair.secretKey, mintOf(service), service.solana.url)

/** What the API says about a payment. */
const settlementIn = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')

/** Pays for a request, and keeps the payment that was sent. */
async function payAndKeep(payer: Payer, url: string): Promise<{ answer: Response; payment: string }> {
  const { fetch } = globalThis
  let payment: string | null = null
  globalThis.fetch = (input, init) => {
    payment ??= new Request(input, init).headers.get('payment-signature')
    return fetch(input, init)
  }
  try {
    const answer = await (await payingAs(payer))(url)
    if (payment === null) throw new Error('no payment was sent')
    return { answer, payment }
  } finally {
    globalThis.fetch = fetch
  }
}

/** A node that does not know the outcome of transactions yet, for a number of calls. */
function blindFor(calls: number): Fault {
  let left = calls
  return async (request) => {
    const { id, method }: { id: unknown; method: string } = await request.clone().json()
    if (method !== 'getSignatureStatuses' || left === 0)
      return service.solana.outbound(request) ?? new Response(null, { status: 404 })
    left -= 1
    return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: [null] } })
  }
}

const ownersCred = async () => credIn(service, await ownerTokensOf(service, agent.address))

describe('an API of @x402/hono', () => {
  it('asks for the agent’s price, and does nothing before it is paid', async () => {
    const { url, done } = await openApi()
    const response = await fetch(url)
    expect(response.status).toBe(402)
    const required = JSON.parse(
      Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString(),
    )
    expect(required).toMatchObject({
      x402Version: 2,
      accepts: [{ scheme: 'exact', payTo: agent.address, amount: String(PRICE), asset: mintOf(service) }],
    })
    expect(done).toEqual([])
  })

  it('does its work once for a payment of @x402/fetch, in both lists and both logs', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service)
    const before = await ownersCred()
    const response = await (await payingAs(payer))(url)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ forecast: 'sunny' })
    const settlement = settlementIn(response)
    expect(settlement).toMatchObject({ success: true, payer: payer.address })
    expect(done).toHaveLength(1)
    expect((await ownersCred()) - before).toBe(BigInt(PRICE))
    const asOwner = await agent.call('GET', '/x402/payments?role=owner')
    const asPayer = await (await payer.signIn()).call('GET', '/x402/payments?role=payer')
    for (const { call } of [agent, await payer.signIn()]) {
      const { events } = (await call('GET', '/events')).body as { events: { type: string; data: object }[] }
      expect(events.filter(({ type }) => type === 'payment.settled').at(-1)?.data).toMatchObject({
        signature: settlement.transaction,
      })
    }
    const payment = { status: 'settled', amount: PRICE, signature: settlement.transaction }
    expect(asOwner.body.payments).toContainEqual(expect.objectContaining(payment))
    expect(asPayer.body).toMatchObject({ count: 1, payments: [payment] })
  })

  it('does nothing for a payment that it is sent again, alone or many times at once', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service)
    const { answer, payment } = await payAndKeep(payer, url)
    expect(answer.status).toBe(200)
    const headers = { 'payment-signature': payment }
    expect((await fetch(url, { headers })).status).toBe(402)
    const all = await Promise.all(Array.from({ length: 10 }, () => fetch(url, { headers })))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([402]))
    expect(done).toHaveLength(1)
    expect((await (await payer.signIn()).call('GET', '/x402/payments?role=payer')).body.count).toBe(1)
  })

  it('asks again where the payment was not seen to land, and then does its work once', async () => {
    const { url, done } = await openApi()
    const pay = await payingAs(await payerOf(service))
    const before = await ownersCred()
    // The first call of /settle gives up after two polls; the server's second one sees it.
    const response = await service.withRpcFault(blindFor(2), () => pay(url))
    expect(response.status).toBe(200)
    expect(settlementIn(response)).toMatchObject({ success: true })
    expect(done).toHaveLength(1)
    expect((await ownersCred()) - before).toBe(BigInt(PRICE))
  })

  it('does nothing when a payment is confirmed too late, and the payer’s work later', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service)
    const { answer, payment } = await service.withRpcFault(blindFor(4), () => payAndKeep(payer, url))
    expect(answer.status).toBe(402)
    expect(settlementIn(answer)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    expect(done).toEqual([])
    const headers = { 'payment-signature': payment }
    expect((await fetch(url, { headers })).status).toBe(200)
    expect((await fetch(url, { headers })).status).toBe(402)
    expect(done).toHaveLength(1)
  })

  it('does nothing for a payer with too few tokens', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service, PRICE)
    const pay = await payingAs(payer)
    expect((await pay(url)).status).toBe(200)
    await giveCred(service, payer.address, PRICE - 1)
    const response = await pay(url)
    expect(response.status).toBe(402)
    expect(done).toHaveLength(1)
  })

  it('answers 402 where the agent’s key was replaced', async () => {
    const { url, done } = await openApi()
    const pay = await payingAs(await payerOf(service))
    await fetch(url)
    agent.key = await agent.makeKey()
    expect((await pay(url)).status).toBe(402)
    expect(done).toEqual([])
  })
})

describe('a client of @x402/fetch', () => {
  it('pays one purchase once when it signs again, also at a route that declares no identifier', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service)
    const fetchOnce = () =>
      payingFetch(payer.keypair.secretKey, mintOf(service), service.solana.url, generatePaymentId('once_'))
    const pay = await fetchOnce()
    const before = await ownersCred()
    // Both answers of the first payment are lost: it is confirmed, and nobody has seen it.
    const lost = await service.withRpcFault(blindFor(4), () => pay(url))
    expect(settlementIn(lost)).toMatchObject({ errorReason: 'settlement_pending' })
    const again = await pay(url)
    expect(again.status).toBe(402)
    expect(settlementIn(again)).toMatchObject({
      success: false,
      errorReason: 'payment_identifier_used',
      transaction: settlementIn(lost).transaction,
    })
    expect((await ownersCred()) - before).toBe(BigInt(PRICE))
    expect((await (await fetchOnce())(url)).status).toBe(200)
    expect(done).toHaveLength(1)
  })

  it('pays in CRED only where setSpendControls allows it, and no more than that', async () => {
    const { url, done } = await openApi()
    const payer = await payerOf(service)
    const otherMint = await payingFetch(payer.keypair.secretKey, payer.address, service.solana.url)
    await expect(otherMint(url)).rejects.toThrow(/payment requirements/i)
    await agent.setPrices([{ name: 'forecast', amount: 1_000_000_001 }])
    const dearer = await openApi()
    await expect((await payingAs(payer))(dearer.url)).rejects.toThrow(/payment requirements/i)
    await agent.setPrices([{ name: 'forecast', amount: PRICE }])
    expect([...done, ...dearer.done]).toEqual([])
  })
})

describe('walk.md', () => {
  it.each(['paid-api.ts', 'paying-fetch.ts'])('shows %s as it is run here', (name) => {
    const [walk, file] = ['lib/x402/walk.md', `lib/cli/demo/${name}`].map((path) =>
      readFileSync(join(import.meta.dirname, '../..', path), 'utf8'),
    )
    expect(walk?.includes(`\`\`\`ts\n${file}\`\`\`\n`)).toBe(true)
  })
})
