import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../lib/auth/session/token.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { refusedPaths } from '../support/agents.ts'
import { hiring } from '../support/hiring.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { travelToNoon } from '../support/staker.ts'

const operator = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'payments', 'jobs'],
    bindings: { OPERATOR_WALLETS: operator.publicKey },
  })
  // No day may end between two charges that are counted for the same.
  await travelToNoon(service)
})
afterAll(() => service.stop())

describe('a charge', () => {
  it('is recorded by the hire’s fee, and both sides see what is left of the budget', async () => {
    const { charge, read, hired, hirer, owner, hireId, agentId } = await hiring(
      service,
      {},
      { budgetLimit: 1_000 },
    )
    expect(hired).toMatchObject({ feeModel: 'flat', feeAmount: 100, spent: 0, remaining: 1_000 })
    expect(hired.period).toEqual({ start: hired.hiredAt, end: hired.expiresAt })
    const answer = await charge({ reference: 'job', units: 3, layer: 10, description: 'Three swaps' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      hireId,
      agentName: 'Test agent',
      agentId,
      owner: owner.publicKey,
      hirer: hirer.publicKey,
      reference: 'job',
      amount: 300,
      units: 3,
      layer: 10,
      description: 'Three swaps',
      periodStart: hired.hiredAt,
      status: 'recorded',
      createdAt: expect.any(String),
    })
    expect(await read()).toMatchObject({ spent: 300, remaining: 700, period: hired.period })
  })

  it('follows each fee model', async () => {
    const percentage = await hiring(service, { feeModel: 'percentage', feeAmount: 250 })
    expect((await percentage.charge({ capturedValue: 10_039 })).body).toMatchObject({ amount: 250 })
    expect((await percentage.charge({ capturedValue: 39 })).body.code).toBe('charge_invalid')
    const hybrid = await hiring(service, { feeModel: 'hybrid', feeAmount: 100 })
    const body = { units: 2, capturedValue: 5_000, share: 70 }
    expect((await hybrid.charge(body)).body).toMatchObject({ amount: 270, ...body })
    expect((await hybrid.charge()).body).toMatchObject({ amount: 100, units: 1 })
  })

  it('keeps the fee of its hire when its agent’s fee changes', async () => {
    const { charge, agentId } = await hiring(service)
    await service.database.engine.run([
      { query: 'update agents set fee_amount = 999 where id = $1', params: [agentId] },
    ])
    expect((await charge()).body.amount).toBe(100)
  })

  it('is exact up to 2^53-1 lamports, the most of a period without a budget, too', async () => {
    const { charge, read } = await hiring(service, { feeAmount: 1 })
    expect((await charge({ units: 2 ** 53 - 1 })).body.amount).toBe(2 ** 53 - 1)
    const refused = await charge()
    expect(refused.body).toMatchObject({ status: 409, code: 'budget_exhausted', remaining: 0 })
    expect(refused.body.detail).toContain(
      'at most 9007199254740991 lamports of charges. It has 0 lamports left.',
    )
    const hire = await read()
    expect(hire.spent).toBe(2 ** 53 - 1)
    expect(hire).not.toHaveProperty('remaining')
  })

  it('is returned unchanged on repetition, after any change of it or the hire', async () => {
    const { charge, void: take, asHirer, hireId, read } = await hiring(service, {}, { budgetLimit: 100 })
    const first = await charge({ reference: 'once' })
    expect(await charge({ reference: 'once' })).toMatchObject({ status: 201, body: first.body })
    expect((await charge({ reference: 'once', units: 1 })).body).toEqual(first.body)
    await take(first.body.id)
    expect((await charge({ reference: 'once' })).body).toMatchObject({ id: first.body.id, status: 'voided' })
    await asHirer('DELETE', `/agents/hire?id=${hireId}`)
    expect((await charge({ reference: 'once' })).body).toMatchObject({ id: first.body.id })
    expect((await read()).spent).toBe(0)
  })

  it('is refused under a used reference with anything else', async () => {
    const { charge, read } = await hiring(service)
    await charge({ reference: 'once', layer: 10 })
    for (const other of [{}, { layer: 1 }, { layer: 10, units: 2 }, { layer: 10, description: 'x' }]) {
      const answer = await charge({ reference: 'once', ...other })
      expect(answer.body).toMatchObject({ status: 409, code: 'charge_differs' })
    }
    expect((await read()).spent).toBe(100)
  })

  it('shows its result to both sides and nobody else', async () => {
    const { charge, asOwner, asHirer } = await hiring(service)
    const result = 'Guten Morgen!\n\nWie geht es Ihnen?'
    const { status, body } = await charge({ reference: 'once', result })
    expect({ status, result: body.result }).toEqual({ status: 201, result })
    for (const call of [asOwner, asHirer])
      expect((await call('GET', `/payments/charges/${body.id}`)).body).toMatchObject({ id: body.id, result })
    const { charges } = (await asHirer('GET', '/payments/charges?role=hirer')).body
    expect(charges).toMatchObject([{ id: body.id, result }])
    const stranger = await service.signIn()
    expect((await stranger.call('GET', `/payments/charges/${body.id}`)).body.code).toBe('charge_not_found')
  })

  it('is refused under a used reference with another result', async () => {
    const { charge } = await hiring(service)
    const first = await charge({ reference: 'once', result: 'https://files.example.com/1' })
    const again = await charge({ reference: 'once', result: 'https://files.example.com/1' })
    expect(again).toMatchObject({ status: 201, body: first.body })
    for (const result of ['https://files.example.com/2', undefined]) {
      const { body } = await charge({ reference: 'once', ...(result && { result }) })
      expect(body.code).toBe('charge_differs')
      expect(body.detail).toContain('a different result')
    }
  })

  it('is refused beyond the budget with what remains, and recorded again within it', async () => {
    const { charge, read, void: take } = await hiring(service, {}, { budgetLimit: 250 })
    const first = await charge()
    await charge()
    const refused = await charge()
    expect(refused).toMatchObject({ status: 409, body: { code: 'budget_exhausted', remaining: 50 } })
    expect(await read()).toMatchObject({ spent: 200, remaining: 50 })
    await take(first.body.id)
    expect((await charge()).status).toBe(201)
    expect(await read()).toMatchObject({ spent: 200, remaining: 50 })
  })

  it('is refused by field: malformed, missing in the fee, or a layer not enabled', async () => {
    const { charge, read } = await hiring(service, {}, { layers: [10, 17] })
    const refused = async (body: Body) => refusedPaths(await charge(body))
    expect(await refused({ hireId: 'x' })).toEqual(['hireId'])
    expect(await refused({ reference: ' ' })).toEqual(['reference'])
    expect(await refused({ reference: 'x'.repeat(129) })).toEqual(['reference'])
    expect(await refused({ units: -1 })).toEqual(['units'])
    expect(await refused({ units: 1.5 })).toEqual(['units'])
    expect(await refused({ units: 2 ** 53 })).toEqual(['units'])
    expect(await refused({ amount: 5 })).toEqual(['amount'])
    expect(await refused({ layer: 23 })).toEqual(['layer'])
    expect(await refused({ description: 'x'.repeat(501) })).toEqual(['description'])
    for (const result of ['', ' \n', 'a\u202eb', 'x'.repeat(2_001), 5])
      expect(await refused({ result })).toEqual(['result'])
    expect(await refused({ units: 0 })).toEqual(['units'])
    expect(await refused({ units: 2 ** 52 })).toEqual(['units'])
    expect(await refused({ layer: 1 })).toEqual(['layer'])
    expect(await refused({ capturedValue: 5, layer: 1 })).toEqual(['capturedValue', 'layer'])
    expect((await charge({ layer: 1 })).body).toMatchObject({ status: 400, code: 'charge_invalid' })
    expect(await read()).toMatchObject({ spent: 0 })
  })

  it('can be made by the owner only: the hirer and strangers get 404', async () => {
    const { asHirer, hireId, charge } = await hiring(service)
    const stranger = await service.signIn()
    const body = { hireId, reference: 'theirs' }
    for (const call of [asHirer, stranger.call]) {
      const answer = await call('POST', '/payments/charges', { body })
      expect(answer.body).toMatchObject({ status: 404, code: 'hire_not_found' })
    }
    const unknown = await charge({ hireId: '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d' })
    expect(unknown.body.code).toBe('hire_not_found')
  })

  it('needs the permission agents:charge', async () => {
    const { hireId, owner } = await hiring(service)
    const weak = { wallet: owner.publicKey as Wallet, permissions: ['agents:hire' as const] }
    const { token } = await issueSession(
      service.keys.SESSION_SIGNING_KEY,
      weak,
      new Date(service.clock.now()),
    )
    const body = { hireId, reference: 'job' }
    const answer = await service.call('POST', '/payments/charges', { body, token })
    expect(answer.body).toMatchObject({ status: 403, code: 'permission_missing' })
  })

  it('is refused while the agent is suspended, but not when it takes no new hires', async () => {
    const { charge, asOwner, agentId } = await hiring(service)
    await asOwner('PATCH', `/agents/${agentId}`, { body: { status: 'inactive' } })
    expect((await charge()).status).toBe(201)
    const { call } = await service.signIn(operator)
    await call('PATCH', `/agents/${agentId}`, { body: { status: 'suspended', reason: 'Phishing' } })
    expect((await charge()).body).toMatchObject({ status: 409, code: 'agent_suspended' })
    await call('PATCH', `/agents/${agentId}`, { body: { status: 'inactive' } })
    expect((await charge()).status).toBe(201)
  })

  it('is refused once the hire has expired or was terminated', async () => {
    const expiring = await hiring(service, {}, { expiresInDays: 1 })
    await expiring.travel(1)
    expect((await expiring.charge()).body).toMatchObject({ status: 409, code: 'hire_not_active' })
    const ended = await hiring(service)
    await ended.charge()
    const answer = await ended.asHirer('DELETE', `/agents/hire?id=${ended.hireId}`)
    expect(answer.body).toMatchObject({ status: 'terminated', spent: 100 })
    expect((await ended.charge()).body.code).toBe('hire_not_active')
  })

  it('is limited to 10,000 a day for a wallet, and to 1,000 unpaid ones', async () => {
    const { charge, owner, read } = await hiring(service)
    await charge()
    await service.database.engine.run([
      { query: 'update wallet_quotas set charges = 10000 where wallet = $1', params: [owner.publicKey] },
    ])
    const refused = await charge()
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('ratelimit-policy')).toBe('"charges";q=10000;w=86400')
    await service.database.engine.run([
      {
        query: 'update wallet_quotas set charges = 1, unpaid_charges = 1000 where wallet = $1',
        params: [owner.publicKey],
      },
    ])
    expect((await charge()).body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    expect(await read()).toMatchObject({ spent: 100 })
  })
})

describe('a renewed hire', () => {
  it('begins a period with its whole budget, before anybody has recorded the renewal', async () => {
    const hire = await hiring(service, {}, { budgetLimit: 100, autoRenew: true, expiresInDays: 10 })
    await hire.charge()
    await hire.travel(25)
    const { period } = await hire.read()
    expect(await hire.read()).toMatchObject({ spent: 0, remaining: 100 })
    const later = await hire.charge()
    expect(later.body).toMatchObject({ periodStart: (period as Body).start })
    expect((await hire.charge()).body).toMatchObject({ code: 'budget_exhausted', remaining: 0 })
    await service.runJobs('jobs')
    expect(await hire.read()).toMatchObject({ spent: 100, remaining: 0, period })
  })

  it('gives a voided charge back to the period that it was taken from', async () => {
    const hire = await hiring(service, {}, { budgetLimit: 200, autoRenew: true, expiresInDays: 1 })
    const early = await hire.charge()
    await hire.travel(1)
    await hire.charge()
    expect((await hire.void(early.body.id)).body).toMatchObject({ status: 'voided' })
    expect(await hire.read()).toMatchObject({ spent: 100, remaining: 100 })
    const { rows = [] } =
      (
        await service.database.engine.run([
          {
            query: 'select spent from hire_periods where hire_id = $1 order by starts_at',
            params: [hire.hireId],
          },
        ])
      )[0] ?? {}
    expect(rows).toEqual([['0'], ['100']])
  })
})

describe('voiding', () => {
  it('takes a charge back, once; again it is the same answer', async () => {
    const { charge, void: take, read } = await hiring(service)
    const { body } = await charge()
    const first = await take(body.id)
    expect(first).toMatchObject({
      status: 200,
      body: { ...body, status: 'voided', voidedAt: expect.any(String) },
    })
    expect((await take(body.id)).body).toEqual(first.body)
    expect((await read()).spent).toBe(0)
  })

  it('is the owner’s alone', async () => {
    const { charge, asHirer } = await hiring(service)
    const { body } = await charge()
    const stranger = await service.signIn()
    for (const call of [asHirer, stranger.call]) {
      const answer = await call('POST', `/payments/charges/${body.id}/void`)
      expect(answer.body).toMatchObject({ status: 404, code: 'charge_not_found' })
    }
  })

  it('is refused while the charge is being collected, and after', async () => {
    const { charge, void: take, read } = await hiring(service)
    const { body } = await charge()
    const set = (text: string) =>
      service.database.engine.run([
        { query: `update charges set ${text} where id = $1`, params: [String(body.id)] },
      ])
    await set('collection_id = gen_random_uuid()')
    const collecting = await take(body.id)
    expect(collecting.body).toMatchObject({ status: 409, code: 'charge_not_voidable' })
    expect(collecting.body.detail).toContain('collecting')
    await set(`status = 'collected', collected_at = '2026-11-22', fee = 1`)
    expect((await take(body.id)).body.detail).toContain('collected')
    expect((await read()).spent).toBe(100)
  })

  it('is refused once the charge has lapsed, 30 days after its hire has ended', async () => {
    const { charge, void: take, travel, asHirer, hireId } = await hiring(service)
    const { body } = await charge()
    const later = await charge()
    await asHirer('DELETE', `/agents/hire?id=${hireId}`)
    await travel(29.9)
    expect((await take(later.body.id)).status).toBe(200)
    await travel(0.2)
    expect((await take(body.id)).body).toMatchObject({ status: 409, code: 'charge_not_voidable' })
    expect((await charge({ reference: 'job-1' })).body).toMatchObject({ id: body.id, status: 'lapsed' })
  })
})

it('runs one SQL statement for a charge, a repeat, an error, a void and a page', async () => {
  const { charge, void: take, asOwner, agentId } = await hiring(service, {}, { budgetLimit: 100 })
  let id: unknown
  const first = async () => {
    id = (await charge({ reference: 'one' })).body.id
  }
  expect(await service.countSql(first)).toBe(1)
  expect(await service.countSql(first)).toBe(1)
  expect(await service.countSql(() => charge())).toBe(1)
  expect(await service.countSql(() => take(id))).toBe(1)
  expect(await service.countSql(() => asOwner('GET', '/payments/charges?role=owner'))).toBe(1)
  expect(await service.countSql(() => asOwner('GET', `/agents/${agentId}/hires`))).toBe(1)
})
