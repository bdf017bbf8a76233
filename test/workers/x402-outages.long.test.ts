import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEE_PAYER_LOW } from '../../lib/x402/rules.ts'
import { credIn, ownerTokensOf, rowsOf } from '../support/chain.ts'
import { type Body, type Fault, OPERATOR_HOST, type Service, startService } from '../support/service.ts'
import { wavesOf } from '../support/waves.ts'
import { eventually } from '../support/webhooks.ts'
import { type PayableAgent, PRICE, payableAgent, payerOf, setCredit } from '../support/x402-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'x402'],
    bindings: { ALERT_URL: `https://${OPERATOR_HOST}/alert` },
    // So that a call that sees nothing gives up within a second.
    constants: { x402: { POLLS: 3, POLL_MS: 100 } },
  })
})
afterAll(() => service.stop())

const down = () => {
  throw new Error('connection refused')
}

/** A node that does not answer some methods. */
const without =
  (...methods: string[]): Fault =>
  async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    if (methods.includes(method)) return down()
    return service.solana.outbound(request) ?? new Response('', { status: 500 })
  }

const statusesOf = async (id: string) =>
  (await rowsOf(service, 'select status from request_payments where agent_id = $1', id)).flat()

describe('round trips', () => {
  it('settling is three statements, and two waves of calls before it is recorded', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    const request = await payer.sign(agent)
    const verified = await wavesOf(service, [2, 1], () => agent.ask('verify', request))
    expect(verified).toMatchObject({
      answer: { body: { isValid: true } },
      sql: 2,
      waves: [['getMultipleAccounts', 'simulateTransaction'], ['getBlockHeight']],
    })
    const settled = await wavesOf(service, [2, 1, 1, 1], () => agent.ask('settle', request))
    expect(settled).toMatchObject({
      answer: { body: { success: true } },
      sql: 3,
      waves: [
        ['getMultipleAccounts', 'simulateTransaction'],
        ['getBlockHeight'],
        ['sendTransaction'],
        ['getSignatureStatuses'],
      ],
    })
    expect(await service.countSql(() => agent.ask('settle', request))).toBe(2)
    for (const [path, call] of [
      [`/x402/agents/${agent.id}`, service.call],
      ['/x402/payments?role=owner', agent.call],
    ] as const)
      expect(await service.countSql(() => call('GET', path)), path).toBe(1)
    // The accounts are known for ten seconds.
    await service.clock.travelTo(service.clock.now() + 11_000)
    expect(await service.countRpc(() => agent.terms())).toBe(1)
    expect(await service.countRpc(() => agent.terms())).toBe(0)
    expect(await service.countSql(() => agent.setPrices([{ name: 'x', amount: 1 }]))).toBe(1)
    expect(await service.countSql(() => agent.makeKey())).toBe(1)
    expect(await service.countSql(() => agent.supported())).toBe(0)
  })
})

describe('a payment that can’t be new', () => {
  const asked = async (agent: PayableAgent, request: unknown, key?: string) => {
    const reasons = []
    for (const what of ['verify', 'settle'] as const) {
      let body: Body = {}
      const calls = await service.countRpc(async () => {
        body = (await agent.ask(what, request, key)).body
      })
      reasons.push(body.invalidReason ?? body.errorReason ?? 'taken', calls)
    }
    return reasons
  }

  it('is refused first for an ended key, an inactive agent, or missing credit', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    const former = agent.key
    agent.key = await agent.makeKey()
    expect(await asked(agent, request, former)).toEqual(['key_ended', 0, 'key_ended', 0])
    await setCredit(service, agent.address, 10_000_999n)
    const broke = ['credit_exhausted', 0]
    expect(await asked(agent, request)).toEqual([...broke, ...broke])
    await setCredit(service, agent.address, 10_001_000n)
    await agent.call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    const inactive = ['invalid_payment_requirements', 0]
    expect(await asked(agent, request)).toEqual([...inactive, ...inactive])
    await agent.call('PATCH', `/agents/${agent.id}`, { body: { status: 'active' } })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })

  it('is resumed if it is recorded, though the credit was all used for it', async () => {
    const agent = await payableAgent(service, { credit: 10_001_000n })
    const request = await (await payerOf(service)).sign(agent)
    const pending = await service.withRpcFault(without('getSignatureStatuses'), () =>
      agent.ask('settle', request),
    )
    expect(pending.body).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    expect((await agent.ask('verify', request)).body).toMatchObject({ isValid: true })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
    expect((await agent.ask('settle', request)).body).toMatchObject({ errorReason: 'duplicate_settlement' })
  })
})

describe('without the database', () => {
  it('returns 503 in the common shape of errors, and still lists supported kinds', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    const request = await payer.sign(agent)
    await service.withFault(down, async () => {
      for (const what of ['verify', 'settle'] as const) {
        const answer = await agent.ask(what, request)
        expect(answer).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } })
        expect(answer.headers.get('retry-after')).toBe('2')
        expect(answer.body).not.toHaveProperty(what === 'verify' ? 'isValid' : 'success')
      }
      expect((await service.call('GET', `/x402/agents/${agent.id}`)).status).toBe(503)
      expect((await agent.supported()).status).toBe(200)
    })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })

  it('leaves the payment to the next call when it goes after the record', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    let statements = 0
    const goes: Fault = (call) => (++statements > 2 ? down() : service.database.handler(call))
    const lost = await service.withFault(goes, () => agent.ask('settle', request))
    expect(lost).toMatchObject({ status: 503 })
    expect(await statusesOf(agent.id)).toEqual(['pending'])
    expect((await agent.ask('settle', request)).body).toMatchObject({ errorReason: 'duplicate_settlement' })
    await rowsOf(
      service,
      'update request_payments set leased_until = created_at where agent_id = $1',
      agent.id,
    )
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
    expect(await credIn(service, await ownerTokensOf(service, agent.address))).toBe(BigInt(PRICE))
  })
})

describe('without the RPC node', () => {
  it('a call is 503, and nothing is recorded', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    for (const method of ['getMultipleAccounts', 'simulateTransaction', 'getBlockHeight'])
      await service.withRpcFault(without(method), async () => {
        expect(await agent.ask('verify', request), method).toMatchObject({ status: 503 })
        expect(await agent.ask('settle', request), method).toMatchObject({
          status: 503,
          body: { code: 'dependency_unavailable' },
        })
      })
    expect(await statusesOf(agent.id)).toEqual([])
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })

  it('a payment is pending when the node goes before sending; the next call sends it', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    const pending = await service.withRpcFault(without('sendTransaction', 'getSignatureStatuses'), () =>
      agent.ask('settle', request),
    )
    expect(pending).toMatchObject({
      status: 200,
      body: {
        success: false,
        errorReason: 'settlement_pending',
        transaction: expect.stringMatching(/.{80}/),
      },
    })
    expect((await agent.ask('verify', request)).body).toMatchObject({ isValid: true })
    expect((await agent.ask('settle', request)).body).toMatchObject({
      success: true,
      transaction: pending.body.transaction,
    })
    expect(await statusesOf(agent.id)).toEqual(['settled'])
  })

  it('a payment is pending after the time limit when the node shows no outcome', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    const blind: Fault = async (call) => {
      const { method, id } = (await call.clone().json()) as { method: string; id: unknown }
      if (method === 'getSignatureStatuses')
        return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: [null] } })
      return service.solana.outbound(call) ?? new Response('', { status: 500 })
    }
    const pending = await service.withRpcFault(blind, () => agent.ask('settle', request))
    expect(pending.body).toMatchObject({ errorReason: 'settlement_pending' })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
  })
})

it('notifies the operator once when a fee payer has nearly nothing left', async () => {
  const agent = await payableAgent(service)
  const payer = await payerOf(service)
  const alerts: string[] = []
  service.onOperator(async (request) => {
    alerts.push(await request.text())
    return new Response(null, { status: 204 })
  })
  const leaving =
    (lamports: number): Fault =>
    async (call) => {
      const { method } = (await call.clone().json()) as { method: string }
      const answer = (await service.solana.outbound(call)) ?? new Response('', { status: 500 })
      if (method !== 'getMultipleAccounts') return answer
      const body = (await answer.json()) as { result: { value: ({ lamports: number } | null)[] } }
      Object.assign(body.result.value.at(-1) ?? {}, { lamports })
      return Response.json(body)
    }
  const verify = async () => agent.ask('verify', await payer.sign(agent))
  await service.withRpcFault(leaving(Number(FEE_PAYER_LOW)), verify)
  for (let call = 0; call < 2; call += 1)
    expect(await service.withRpcFault(leaving(Number(FEE_PAYER_LOW) - 1), verify)).toMatchObject({
      body: { isValid: true },
    })
  await eventually('an alert was sent', async () => alerts.length > 0)
  expect(alerts).toEqual([
    expect.stringMatching(/^AgentCred: the fee payer \w{32,44} has less than 0\.02 SOL\.$/),
  ])
})

describe('one payment at several isolates', () => {
  it('lands once, and one of fifty calls gets the success', async () => {
    const { SOLANA_RPC_URL: _, ...bindings } = service.solana.bindings
    const others = await Promise.all(
      [1, 2].map(() =>
        startService({
          groups: ['x402'],
          // The owner of the connection closes it.
          database: { ...service.database, close: async () => {} },
          bindings,
          keys: service.keys,
        }),
      ),
    )
    try {
      const agent = await payableAgent(service)
      const request = await (await payerOf(service)).sign(agent)
      const before = await agent.credit()
      const chain: Fault = (call) => service.solana.outbound(call) ?? new Response('', { status: 500 })
      const settle = ({ call }: Service) => call('POST', `/x402/k/${agent.key}/settle`, { body: request })
      const answers = await withChain(others, chain, () =>
        Promise.all(Array.from({ length: 50 }, (_, i) => settle([service, ...others][i % 3] ?? service))),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.errorReason === 'duplicate_settlement')).toHaveLength(49)
      expect(await credIn(service, await ownerTokensOf(service, agent.address))).toBe(BigInt(PRICE))
      expect(before - (await agent.credit())).toBe(10_001_000n)
      expect(await statusesOf(agent.id)).toEqual(['settled'])
    } finally {
      await Promise.all(others.map((other) => other.stop()))
    }
  })
})

/** Has other services ask one chain. */
const withChain = <T>(services: Service[], chain: Fault, action: () => Promise<T>): Promise<T> => {
  const [first, ...rest] = services
  return first ? first.withRpcFault(chain, () => withChain(rest, chain, action)) : action()
}
