import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilLimited } from '../support/rate-limits.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { payableAgent, payerOf } from '../support/x402-service.ts'

const FACILITATOR_LIMIT = 60
const WALLET_LIMIT = 20

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'x402'],
    rateLimits: true,
    limits: { FACILITATOR_LIMIT, WALLET_LIMIT, READ_LIMIT: 100 },
  })
})
afterAll(() => service.stop())

const isLimited = ({ status }: Answer) => status === 429
const from = (address: string) => ({ 'cf-connecting-ip': address })

it('counts calls by the key’s agent, not by the address of resource servers', async () => {
  const [loud, quiet] = [await payableAgent(service), await payableAgent(service)]
  let host = 0
  const limited = await untilLimited(
    FACILITATOR_LIMIT,
    () =>
      loud.ask(
        'verify',
        { paymentPayload: {}, paymentRequirements: {} },
        loud.key,
        from(`192.0.2.${host++ % 250}`),
      ),
    isLimited,
  )
  expect(limited.body).toMatchObject({ code: 'rate_limited' })
  expect(limited.headers.get('ratelimit-policy')).toBe(`"facilitator";q=1200;w=60`)
  // From one address, as all Workers of a zone send from one.
  for (let i = 0; i < 30; i++)
    expect(
      (
        await quiet.ask(
          'verify',
          { paymentPayload: {}, paymentRequirements: {} },
          quiet.key,
          from('192.0.2.1'),
        )
      ).status,
    ).toBe(200)
})

it('calls with a key that has ended use up none of the newest key’s', async () => {
  const agent = await payableAgent(service)
  const leaked = agent.key
  agent.key = await agent.makeKey()
  await untilLimited(FACILITATOR_LIMIT, () => agent.supported(leaked), isLimited)
  expect((await agent.supported()).status).toBe(200)
})

it('uses none of its payer’s calls when a payment is shown again and again', async () => {
  const [hostile, other] = [await payableAgent(service), await payableAgent(service)]
  const payer = await payerOf(service)
  const shown = await payer.sign(hostile)
  await untilLimited(
    WALLET_LIMIT,
    () => hostile.ask('verify', shown),
    ({ body }) => body.invalidReason === 'too_many_requests',
  )
  for (const agent of [other, hostile])
    expect((await agent.ask('settle', await payer.sign(agent))).body).toMatchObject({ success: true })
})

it('counts calls after the signature check, and asks no network beyond the limit', async () => {
  const agent = await payableAgent(service)
  const [loud, quiet] = [await payerOf(service), await payerOf(service)]
  const request = await loud.sign(agent)
  const limited = await untilLimited(
    WALLET_LIMIT,
    () => agent.ask('verify', request),
    ({ body }) => body.invalidReason === 'too_many_requests',
  )
  expect(limited).toMatchObject({ status: 200, body: { isValid: false } })
  expect(await service.countRpc(() => agent.ask('verify', request))).toBe(0)
  const payload = await quiet.sign(agent)
  // Without the payer's signature they count nothing.
  const forged = {
    ...payload.paymentPayload.payload,
    transaction: unsigned(String(payload.paymentPayload.payload.transaction)),
  }
  for (let i = 0; i < 5; i++)
    expect(
      (
        await agent.ask('verify', {
          ...payload,
          paymentPayload: { ...payload.paymentPayload, payload: forged },
        })
      ).body,
    ).toMatchObject({ invalidReason: 'invalid_exact_svm_payload_signature_invalid' })
  expect((await agent.ask('verify', payload)).body).toMatchObject({ isValid: true })
})

/** The same transaction with another signature in the payer's slot. */
function unsigned(transaction: string): string {
  const bytes = Buffer.from(transaction, 'base64')
  bytes[1 + 64 + 5] = (bytes[1 + 64 + 5] ?? 0) ^ 1
  return bytes.toString('base64')
}

it('counts calls with an invalid key by address', async () => {
  const guess = (address: string) =>
    service.call('GET', `/x402/k/${'A'.repeat(70)}/supported`, { headers: from(address) })
  await untilLimited(100, () => guess('198.51.100.1'), isLimited)
  expect((await guess('198.51.100.2')).status).toBe(404)
})
