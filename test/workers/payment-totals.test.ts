import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { refusedPaths } from '../support/agents.ts'
import { createAgent, createHirer, hireAgent, type Payer } from '../support/payer.ts'
import { type Body, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

const ONE = 10 ** 9
const totals = async ({ call }: Pick<Payer, 'call'>, role: string) =>
  (await call('GET', `/payments/totals?role=${role}`)).body
const month = () => new Date(service.clock.now()).toISOString().slice(0, 7)

describe('totals', () => {
  it('are empty for a new wallet', async () => {
    const stranger = await service.signIn()
    for (const role of ['owner', 'hirer'])
      expect(await totals(stranger, role)).toEqual({
        ...{ role, kinds: [], months: [], agents: [] },
        ...{ unpaid: 0, unpaidCharges: 0, funded: 0, hasMore: false, jobsHeld: 0, jobsDue: 0 },
        ...(role === 'owner' && { jobsDueFee: 0 }),
      })
  })

  it('follow charges from their recording to the payment, without voided ones', async () => {
    const { owner, agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId, 5 * ONE)
    const { hirer: poor, hireId: unfunded } = await createHirer(service, agentId)
    await owner.charge(hireId, 2 * ONE)
    await owner.charge(hireId, ONE)
    const voided = await owner.charge(hireId, ONE)
    await owner.post(`charges/${voided.id}/void`)
    await owner.charge(unfunded, 7)
    expect(await totals(owner, 'owner')).toMatchObject({
      ...{ kinds: [], months: [], agents: [] },
      ...{ unpaid: 3 * ONE + 7, unpaidCharges: 3, funded: 3 * ONE },
    })
    expect(await totals(hirer, 'hirer')).toMatchObject({ unpaid: 3 * ONE, unpaidCharges: 2 })
    expect(await totals(poor, 'hirer')).toMatchObject({ unpaid: 7, funded: 0 })
    expect(await totals(hirer, 'owner')).toMatchObject({ unpaid: 0 })

    await owner.land(owner.collect())
    const fee = Number(protocolFee(3n * BigInt(ONE), 100))
    const sum = { kind: 'charge', payments: 2, amount: 3 * ONE, fee }
    const expected = (thisMonth: number) => ({
      kinds: [sum],
      months: [{ month: month(), ...sum }],
      agents: [{ agentId, agentName: expect.any(String), ...sum, thisMonth }],
    })
    expect(await totals(owner, 'owner')).toMatchObject({
      ...expected(3 * ONE - fee),
      unpaid: 7,
      unpaidCharges: 1,
      funded: 0,
    })
    expect(await totals(hirer, 'hirer')).toEqual({
      ...{ role: 'hirer', unpaid: 0, unpaidCharges: 0, funded: 0, hasMore: false, jobsHeld: 0, jobsDue: 0 },
      ...expected(3 * ONE),
    })
    expect(await totals(poor, 'hirer')).toMatchObject({ kinds: [] })

    const listed = async (query: string) =>
      (await owner.call('GET', `/payments/charges?role=owner&${query}`)).body.charges as Body[]
    const paid = await listed('status=collected')
    expect(paid).toHaveLength(2)
    for (const charge of paid)
      expect(charge).toMatchObject({ agentName: expect.any(String), signature: expect.any(String) })
    expect((await listed('status=voided'))[0]).not.toHaveProperty('signature')
  })

  it('count no charge that has lapsed', async () => {
    const { owner, agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId)
    await owner.charge(hireId, 5)
    await hirer.call('DELETE', `/agents/hire?id=${hireId}`)
    expect(await totals(hirer, 'hirer')).toMatchObject({ unpaid: 5 })
    await service.clock.travelTo(service.clock.now() + 31 * 86_400_000)
    await hirer.signInAgain()
    expect(await totals(hirer, 'hirer')).toMatchObject({ unpaid: 0, unpaidCharges: 0 })
  })

  it('name payments for requests by coin, and their debit to the owner alone', async () => {
    const { owner, agentId } = await createAgent(service)
    const { owner: other } = owner
    const row = (role: string, when: string, coin: string, amount: number) =>
      `('${other}', '${role}', '${when}', '${agentId}', 'request', '${coin}', 2, ${amount}, 20)`
    const today = `${month()}-01`
    await service.database.engine.run([
      {
        query: `insert into payment_months values ${[
          row('owner', today, '', 500),
          row('owner', today, 'USDC', 900),
          row('owner', '2020-01-01', '', 9),
          row('hirer', today, '', 3),
        ]}`,
        params: [],
      },
    ])
    const request = { kind: 'request', payments: 2, debit: 20 }
    expect(await totals(owner, 'owner')).toMatchObject({
      kinds: [
        { ...request, payments: 4, amount: 509, debit: 40 },
        { ...request, asset: 'USDC', amount: 900 },
      ],
      months: [
        { ...request, month: month(), amount: 500 },
        { ...request, asset: 'USDC', month: month(), amount: 900 },
      ],
      agents: [
        { agentId, ...request, payments: 4, amount: 509, debit: 40, thisMonth: 500 },
        { agentId, ...request, asset: 'USDC', amount: 900, thisMonth: 900 },
      ],
    })
    const { kinds } = await totals(owner, 'hirer')
    expect(kinds).toEqual([{ kind: 'request', payments: 2, amount: 3 }])
  })

  it('need a role', async () => {
    const { call } = await service.signIn()
    expect(refusedPaths(await call('GET', '/payments/totals'))).toEqual(['role'])
    expect(refusedPaths(await call('GET', '/payments/totals?role=payer'))).toEqual(['role'])
    expect((await service.call('GET', '/payments/totals?role=owner')).status).toBe(401)
  })
})

describe('the list of charges', () => {
  it('has the charges of a time', async () => {
    const { owner, agentId } = await createAgent(service)
    const hireId = await hireAgent(await service.signIn(), agentId)
    const first = await owner.charge(hireId, 1)
    await service.clock.travelTo(service.clock.now() + 3_600_000)
    const middle = new Date(service.clock.now()).toISOString()
    await service.clock.travelTo(service.clock.now() + 3_600_000)
    const second = await owner.charge(hireId, 1)
    const ids = async (query: string) =>
      ((await owner.call('GET', `/payments/charges?role=owner&${query}`)).body.charges as Body[]).map(
        ({ id }) => id,
      )
    expect(await ids(`since=${middle}`)).toEqual([second.id])
    expect(await ids(`until=${middle}`)).toEqual([first.id])
    expect(await ids(`since=${first.createdAt}&until=${second.createdAt}`)).toEqual([first.id])
    expect(await ids(`since=1969-12-31T23:59:59Z&until=1970-01-01T00:00:00Z`)).toEqual([])
    const page = await owner.call('GET', `/payments/charges?role=owner&limit=1&since=${first.createdAt}`)
    const next = `limit=1&since=${first.createdAt}&cursor=${page.body.nextCursor}`
    expect(await ids(next)).toEqual([first.id])
    expect(refusedPaths(await owner.call('GET', '/payments/charges?role=owner&since=today'))).toEqual([
      'since',
    ])
  })
})
