import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Wallet } from '../../schema/wallet.ts'
import { logged } from '../support/events.ts'
import { hiring } from '../support/hiring.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { openDatabaseOf } from '../support/service-database.ts'
import { openInbox } from '../support/webhooks.ts'

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'payments', 'reputation', 'events', 'jobs'] })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const OURS = /^(charge|budget|rating)\./
/** The types of what is logged of charges, budgets and ratings, once it is so much. */
const types = async (call: Call, count: number) => (await logged(call, count, OURS)).map(({ type }) => type)

describe('a charge’s events', () => {
  it('are published to both sides and to the agent’s webhook, as charged', async () => {
    const owner = await inbox.createAgent(undefined, { feeModel: 'hybrid', feeAmount: 100 })
    const { call, hire, wallet } = await owner.hire({ budgetLimit: 1_000 })
    const { body: charge } = await owner.call('POST', '/payments/charges', {
      hireId: hire.id,
      reference: 'job',
      units: 2,
      capturedValue: 5_000,
      share: 70,
      layer: 10,
      description: 'Two swaps',
      result: 'Left out of events',
    })
    await owner.call('POST', `/payments/charges/${charge.id}/void`)
    const received = await inbox.until(owner.url, 4)
    const { id, createdAt } = charge
    const data = {
      chargeId: id,
      hireId: hire.id,
      agentId: owner.agent.id,
      agentName: owner.agent.name,
      owner: owner.wallet.publicKey,
      hirer: wallet.publicKey,
      reference: 'job',
      amount: 270,
      units: 2,
      capturedValue: 5_000,
      share: 70,
      layer: 10,
      description: 'Two swaps',
      createdAt,
    }
    const sent = received.map(({ body }) => body).filter(({ type }) => OURS.test(String(type)))
    expect(sent).toContainEqual(
      expect.objectContaining({
        type: 'charge.recorded',
        timestamp: createdAt,
        data: { ...data, status: 'recorded' },
      }),
    )
    expect(sent).toContainEqual(
      expect.objectContaining({ type: 'charge.voided', data: { ...data, status: 'voided' } }),
    )
    const asOwner = service.stayIn(owner.wallet)
    expect(await logged(call, 2, OURS)).toEqual(await logged(asOwner, 2, OURS))
  })

  it('are published once to a self-hirer, and not for repeats, errors or second voids', async () => {
    const owner = await service.signIn()
    const body = {
      name: 'Own agent',
      agentType: 'oracle',
      supportedLayers: [1],
      feeModel: 'flat',
      feeAmount: 5,
    }
    const agent = (await owner.call('POST', '/agents/register', { body })).body
    const hire = (await owner.call('POST', '/agents/hire', { body: { agentId: agent.id } })).body
    const charge = (reference: string, units = 1) =>
      owner.call('POST', '/payments/charges', { body: { hireId: hire.id, reference, units } })
    const first = await charge('one')
    await charge('one')
    await charge('one', 2)
    await charge('two', 0)
    for (let i = 0; i < 2; i++) await owner.call('POST', `/payments/charges/${first.body.id}/void`)
    expect(await types(owner.call, 2)).toEqual(['charge.recorded', 'charge.voided'])
    const { body: reputation } = await service.call('GET', `/reputation?user_id=${owner.wallet.publicKey}`)
    expect(reputation).toMatchObject({ breakdown: { reliability: 0, social: 0 } })
  })
})

describe('a budget', () => {
  it('that runs low, or is exceeded by a charge, is published once in each period', async () => {
    const {
      charge,
      void: take,
      asHirer,
      asOwner,
      hired,
      travel,
      read,
    } = await hiring(service, {}, { budgetLimit: 510, autoRenew: true, expiresInDays: 1 })
    /** Waits for this many events of budgets and charges in the log, and returns the budgets' events. */
    const budgets = async (call: Call, count: number) =>
      (await logged(call, count, OURS)).filter(({ type }) => type.startsWith('budget.'))
    await charge({ units: 4 })
    expect(await budgets(asHirer, 1)).toEqual([])
    const { body } = await charge()
    const [low] = await budgets(asHirer, 3)
    expect(low).toMatchObject({
      type: 'budget.low',
      timestamp: body.createdAt,
      data: { hireId: hired.id, budgetLimit: 510, spent: 500, remaining: 10, period: hired.period },
    })
    await charge()
    await charge()
    await take(body.id)
    await charge()
    expect((await budgets(asHirer, 6)).map(({ type }) => type)).toEqual(['budget.low', 'budget.exhausted'])
    const [, exhausted] = await budgets(asOwner, 6)
    expect(exhausted).toMatchObject({ data: { spent: 500, remaining: 10 } })
    await travel(1)
    const { period } = await read()
    await charge({ units: 5 })
    await charge()
    const later = (await budgets(asHirer, 9)).slice(2)
    expect(later.map(({ type }) => type)).toEqual(['budget.low', 'budget.exhausted'])
    for (const { data } of later) expect((data as Body).period).toEqual(period)
  })

  it('used up to the last lamport is low and exhausted at once; no budget, no event', async () => {
    const used = await hiring(service, {}, { budgetLimit: 100 })
    await used.charge()
    expect((await types(used.asOwner, 3)).sort()).toEqual([
      'budget.exhausted',
      'budget.low',
      'charge.recorded',
    ])
    const unlimited = await hiring(service, { feeAmount: 1 })
    await unlimited.charge({ units: 2 ** 53 - 1 })
    await unlimited.charge()
    expect(await types(unlimited.asOwner, 1)).toEqual(['charge.recorded'])
  })
})

it('publishes a rating, its revision and answer to both sides and the webhook', async () => {
  const { db, close } = await openDatabaseOf(service)
  onTestFinished(close)
  const owner = await inbox.createAgent()
  const { call, hire, wallet } = await owner.hire()
  const [hireId, agentId] = [String(hire.id), String(owner.agent.id)]
  const sides = { owner: owner.wallet.publicKey as Wallet, hirer: wallet.publicKey as Wallet }
  const paid = { hireId, agentId, owner: sides.owner, payer: sides.hirer, amount: ONE_CRED, fee: 1n }
  await recordPayments(db, [paid])
  const rate = (rating: Body) => call('POST', '/reputation/ratings', { body: { hireId, ...rating } })
  const { body: rated } = await rate({ rating: 4, comment: 'Good.' })
  const { body: revised } = await rate({ rating: 5 })
  await owner.call('POST', `/reputation/ratings/${rated.id}/answer`, { answer: 'Thank you.' })
  const received = await inbox.until(owner.url, 5)
  const sent = received.map(({ body }) => body).filter(({ type }) => OURS.test(String(type)))
  const { id: ratingId, createdAt } = rated
  const data = { ratingId, hireId, agentId, agentName: owner.agent.name, ...sides, createdAt }
  const { revisedAt } = revised
  const published = [
    { type: 'rating.given', timestamp: createdAt, data: { ...data, rating: 4, comment: 'Good.' } },
    { type: 'rating.revised', timestamp: revisedAt, data: { ...data, rating: 5, revisedAt } },
    {
      type: 'rating.answered',
      data: { ...data, rating: 5, revisedAt, answer: 'Thank you.', answeredAt: expect.any(String) },
    },
  ]
  for (const one of published) expect(sent).toContainEqual(expect.objectContaining(one))
  for (const side of [owner.call.bind(owner), call]) {
    expect(await types(side, 3)).toEqual(['rating.given', 'rating.revised', 'rating.answered'])
  }
})
