import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { ownerTokensOf, rowsOf } from '../support/chain.ts'
import { type Service, startService } from '../support/service.ts'
import { type PayableAgent, payableAgent, payerOf, setCredit } from '../support/x402-service.ts'

/* Refused payments over HTTP: what their agent's owner is shown, and what they cost. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402', 'events'] })
})
afterAll(() => service.stop())

type Payer = Awaited<ReturnType<typeof payerOf>>
type Request = Awaited<ReturnType<Payer['sign']>>

const sellingOf = async ({ call, id }: PayableAgent) =>
  (await call('GET', `/x402/agents/${id}/selling`)).body as {
    missing: string[]
    refusals: { reason: string; since: string; lastAt: string }[]
  }
const reasonsOf = async (agent: PayableAgent) =>
  (await sellingOf(agent)).refusals.map(({ reason }) => reason).toSorted()

/** A signed request with other requirements, as the agent's server would send it. */
const asking = (request: Request, changes: object, extra: object = {}): Request => ({
  ...request,
  paymentRequirements: {
    ...request.paymentRequirements,
    ...changes,
    extra: { ...request.paymentRequirements.extra, ...extra },
  },
})

/** A request whose payer changed what it sent. */
const sending = (request: Request, changes: object): Request => ({
  ...request,
  paymentPayload: { ...request.paymentPayload, ...changes },
})

describe('a refused payment', () => {
  it('is shown to the owner by its reason, and is an event, until a payment settles', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    const request = await payer.sign(agent)
    const former = agent.key
    const refuse = async (sent: Request, key?: string) => {
      expect((await agent.ask('settle', sent, key)).body).toMatchObject({ success: false })
    }
    await refuse(asking(request, { amount: '1' }))
    await refuse(asking(request, {}, { feePayer: payer.address }))
    await refuse(asking(request, { payTo: payer.address }))
    await setCredit(service, agent.address, 0n)
    await refuse(request)
    await setCredit(service, agent.address, 10n ** 12n)
    const today = new Date(service.clock.now()).toISOString().slice(0, 10)
    const setDay = (fees: string) =>
      rowsOf(
        service,
        'update credits set day = $2::date, day_fees = $3::bigint where owner = $1',
        ...[agent.address, today, fees],
      )
    await setDay('1000000000000')
    await refuse(request)
    await setDay('0')
    const setServiceDay = (fees: string) =>
      rowsOf(
        service,
        'insert into sponsored_days (day, fees) values ($1::date, $2::bigint) on conflict (day) do update set fees = excluded.fees',
        ...[today, fees],
      )
    await setServiceDay('1000000000000')
    await refuse(request)
    await setServiceDay('0')
    await agent.call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    await refuse(request)
    await agent.call('PATCH', `/agents/${agent.id}`, { body: { status: 'active' } })
    agent.key = await agent.makeKey()
    await refuse(request, former)
    expect(await reasonsOf(agent)).toEqual([
      ...['day_used_up', 'former_key', 'no_credit', 'not_a_price', 'not_active', 'service_day_used_up'],
      ...['stale_fee_payer', 'wrong_accepts'],
    ])
    const { events } = (await agent.call('GET', '/events')).body as {
      events: { type: string; data: object }[]
    }
    expect(events.filter(({ type }) => type === 'request.refused').map(({ data }) => data)).toContainEqual({
      agentId: agent.id,
      agentName: expect.any(String),
      reason: 'no_credit',
      since: expect.any(String),
    })
    // A later payment that settles ends the list.
    await service.clock.travelTo(service.clock.now() + 1_000)
    expect((await agent.ask('settle', await payer.sign(agent))).body).toMatchObject({ success: true })
    expect(await sellingOf(agent)).toMatchObject({ missing: ['endpoint'], refusals: [] })
  })

  it('is shown as a missing token account when the owner has none', async () => {
    const agent = await payableAgent(service)
    const request = await (await payerOf(service)).sign(agent)
    const account = await ownerTokensOf(service, agent.address)
    const chain = service.solana
    await service.withRpcFault(
      async (call) => {
        const { method, params } = (await call.clone().json()) as { method: string; params: [string[]] }
        const answer = (await chain.outbound(call)) ?? new Response('', { status: 500 })
        if (method !== 'getMultipleAccounts') return answer
        const body = (await answer.json()) as { result: { value: unknown[] } }
        body.result.value[params[0].indexOf(account)] = null
        return Response.json(body)
      },
      async () =>
        expect((await agent.ask('verify', request)).body).toMatchObject({
          isValid: false,
          invalidReason: 'invalid_transaction_state',
        }),
    )
    expect(await sellingOf(agent)).toMatchObject({
      missing: ['token_account', 'endpoint'],
      refusals: [{ reason: 'no_token_account' }],
    })
  })

  it('is not recorded when what its payer sent is the reason', async () => {
    const agent = await payableAgent(service)
    const payer = await payerOf(service)
    const request = await payer.sign(agent)
    const { accepted } = request.paymentPayload
    const poor = await payerOf(service, 1)
    for (const sent of [
      sending(request, { x402Version: 1 }),
      sending(request, { accepted: { ...accepted, scheme: 'upto' } }),
      sending(request, { accepted: { ...accepted, network: 'solana:other' } }),
      sending(request, { payload: { transaction: 'AAAA' } }),
      sending(request, { payload: {} }),
      await poor.sign(agent),
    ])
      for (const what of ['verify', 'settle'] as const) {
        const { body } = await agent.ask(what, sent)
        expect(body.isValid ?? body.success).toBe(false)
      }
    expect(await reasonsOf(agent)).toEqual([])
    expect(
      await rowsOf(service, 'select reason from request_refusals where agent_id = $1', agent.id),
    ).toEqual([])
  })

  it('costs one more statement an hour, in any flood, also for an agent without prices', async () => {
    const agent = await payableAgent(service)
    const request = asking(await (await payerOf(service)).sign(agent), { payTo: agent.id })
    const flood = () =>
      service.countSql(async () => {
        for (let call = 0; call < 20; call++) await agent.ask(call % 2 ? 'verify' : 'settle', request)
      })
    expect(await flood()).toBe(21)
    expect(await flood()).toBe(20)
    await service.clock.travelTo(service.clock.now() + 3_600_000)
    expect(await flood()).toBe(21)
    await agent.setPrices([])
    await service.clock.travelTo(service.clock.now() + 3_600_000)
    expect(await flood()).toBe(21)
    expect(await flood()).toBe(20)
    expect(await reasonsOf(agent)).toEqual(['not_a_price', 'wrong_accepts'])
  })

  it('leaves the database asleep when the key is invalid', async () => {
    const body = { paymentPayload: {}, paymentRequirements: {} }
    const calls = await service.countSql(async () => {
      for (const what of ['verify', 'settle'])
        expect((await service.call('POST', `/x402/k/${'A'.repeat(70)}/${what}`, { body })).status).toBe(404)
    })
    expect(calls).toBe(0)
  })
})

it('says what a new agent lacks to its owner alone, in one statement', async () => {
  const agent = await payableAgent(service)
  const other = await service.signIn()
  const { id } = await register(other.call)
  expect((await other.call('GET', `/x402/agents/${id}/selling`)).body).toEqual({
    agentId: id,
    usualDebit: 10_001_000,
    missing: ['key', 'credit', 'endpoint'],
    refusals: [],
  })
  const refused = await other.call('GET', `/x402/agents/${agent.id}/selling`)
  expect(refused).toMatchObject({ status: 404, body: { code: 'agent_not_found' } })
  expect((await service.call('GET', `/x402/agents/${agent.id}/selling`)).status).toBe(401)
  expect(await service.countSql(() => agent.call('GET', `/x402/agents/${agent.id}/selling`))).toBe(1)
})
