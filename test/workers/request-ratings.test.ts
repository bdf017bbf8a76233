import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestFee } from '../../lib/reputation/counterparties/rules.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { refusedPaths } from '../support/agents.ts'
import { logged } from '../support/events.ts'
import { ONE_CRED } from '../support/paid.ts'
import { payableAgent, signed } from '../support/request-payments.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { openDatabaseOf } from '../support/service-database.ts'
import { travelToNoon } from '../support/staker.ts'

/* Paid requests over HTTP: ratings by agentId, hires, an agent's history. */

let service: Service
let database: Awaited<ReturnType<typeof openDatabaseOf>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'reputation', 'events'] })
  database = await openDatabaseOf(service)
  // No day that is counted by ends meanwhile.
  await travelToNoon(service)
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

const now = () => new Date(service.clock.now())
const DEBIT = 10_000_000n

/** An agent whose requests are paid for, of a wallet that is signed in. */
async function offer() {
  const { wallet, call } = await service.signIn()
  return { ...(await payableAgent(database.db, { owner: wallet.publicKey as Wallet })), asOwner: call }
}
type Offer = Awaited<ReturnType<typeof offer>>

/** A wallet that is signed in and has paid this for a request to the agent. */
async function payerOf(agent: Offer, amount: bigint) {
  const { wallet, call } = await service.signIn()
  const payer = wallet.publicKey as Wallet
  const pay = async (paid: bigint, fee: bigint | null = requestFee({ amount: paid, debit: DEBIT }, 100)) => {
    await agent.setPrices([['call', paid]], now())
    const held = await agent.settle(
      signed({ payer, amount: paid, debit: DEBIT, fee, balance: 2n ** 60n }),
      now(),
    )
    expect(await agent.answer(held, 'settled', now())).toBe('settled')
  }
  if (amount > 0n) await pay(amount)
  const rate = (rating: number, more: Body = {}) =>
    call('POST', '/reputation/ratings', { body: { agentId: agent.id, rating, ...more } })
  return { payer, call, pay, rate }
}

const read = async ({ id }: Offer) => (await service.call('GET', `/agents/${id}`)).body
const list = async ({ id }: Offer) =>
  (await service.call('GET', `/reputation/ratings?agentId=${id}`)).body.ratings as Body[]

describe('a rating by agentId', () => {
  it('is accepted for paid requests, and unchanged when sent again', async () => {
    const agent = await offer()
    const { rate, payer } = await payerOf(agent, 2n * ONE_CRED)
    const rated = await rate(4, { comment: 'Answers fast.' })
    expect(rated.status).toBe(201)
    expect(rated.body).toMatchObject({
      agentId: agent.id,
      wallet: payer,
      rating: 4,
      comment: 'Answers fast.',
      paidFor: 'requests',
      paid: 2_000_000_000,
      paidFormatted: '2',
    })
    const again = await rate(4, { comment: 'Answers fast.' })
    expect([again.status, again.body]).toEqual([200, rated.body])
    expect(await list(agent)).toEqual([rated.body])
    expect(await read(agent)).toMatchObject({ rating: 4, ratings: 1, ratingsWeight: 0.01 })
  })

  it('is revised once and answered once, with events for both sides', async () => {
    const agent = await offer()
    const { rate, call } = await payerOf(agent, ONE_CRED)
    const { id } = (await rate(1)).body
    const revised = await rate(5)
    expect([revised.status, revised.body.id, revised.body.rating]).toEqual([200, id, 5])
    expect((await rate(2)).body).toMatchObject({ status: 409, code: 'rating_final' })
    const answered = await agent.asOwner('POST', `/reputation/ratings/${id}/answer`, {
      body: { answer: 'Thanks.' },
    })
    expect(answered.body).toMatchObject({ answer: 'Thanks.', paidFor: 'requests', paid: 1_000_000_000 })
    for (const side of [call, agent.asOwner]) {
      const published = await logged(side, 3, /^rating\./)
      expect(published.map(({ type }) => type).sort()).toEqual([
        'rating.answered',
        'rating.given',
        'rating.revised',
      ])
      for (const { data } of published) expect(data).not.toHaveProperty('hireId')
    }
  })

  it('is rejected below MIN_PAID in CRED, of one’s own and of an unknown agent', async () => {
    const agent = await offer()
    const { rate, pay, call } = await payerOf(agent, ONE_CRED - 1n)
    expect((await rate(1)).body).toMatchObject({
      status: 409,
      code: 'too_little_paid',
      detail: 'You can rate this agent after you have paid it 1 CRED for requests (0.999999999 so far).',
    })
    // Another asset is not counted, however much of it.
    await pay(1_000n * ONE_CRED, null)
    expect((await rate(1)).body.code).toBe('too_little_paid')
    const own = { agentId: agent.id, rating: 5 }
    expect((await agent.asOwner('POST', '/reputation/ratings', { body: own })).body).toMatchObject({
      status: 403,
      code: 'own_hire',
    })
    const body = { agentId: crypto.randomUUID(), rating: 5 }
    expect((await call('POST', '/reputation/ratings', { body })).body).toMatchObject({
      status: 404,
      code: 'agent_not_found',
    })
    await pay(1n)
    expect((await rate(1)).status).toBe(201)
  })

  it('is rejected from unpaid wallets', async () => {
    const agent = await offer()
    await (await payerOf(agent, 100n * ONE_CRED)).rate(5)
    const before = await read(agent)
    const codes = []
    for (let n = 0; n < 20; n += 1) codes.push((await (await payerOf(agent, 0n)).rate(1)).body.code)
    expect(new Set(codes)).toEqual(new Set(['too_little_paid']))
    expect(await read(agent)).toEqual(before)
  })

  it.each([
    [{ hireId: undefined, agentId: undefined }, 'hireId', 'is required unless agentId is given'],
    [{}, 'agentId', 'must be absent with hireId'],
    [{ hireId: undefined, agentId: 'x' }, 'agentId', 'must be a UUID'],
    [{ hireId: null, agentId: undefined }, 'hireId', undefined],
  ])('with %j is rejected, naming %s', async (change, path, message) => {
    const { call } = await service.signIn()
    const body = { hireId: crypto.randomUUID(), agentId: crypto.randomUUID(), rating: 5, ...change }
    const refused = await call('POST', '/reputation/ratings', { body })
    expect([refused.status, refusedPaths(refused)]).toEqual([400, [path]])
    if (message) expect((refused.body.errors as Body[])[0]?.message).toContain(message)
  })

  it('does not add to the amount of a hire of the same agent', async () => {
    const agent = await offer()
    const { rate, call } = await payerOf(agent, ONE_CRED)
    const hire = await call('POST', '/agents/hire', { body: { agentId: agent.id } })
    await rate(1)
    const body = { hireId: hire.body.id, rating: 5 }
    // Paid for requests is not paid for the hire.
    expect((await call('POST', '/reputation/ratings', { body })).body.code).toBe('too_little_paid')
    expect(await read(agent)).toMatchObject({ rating: 1, ratings: 1 })
  })
})

describe('the sum paid for requests', () => {
  it('is returned next to a hire’s budget, and not part of it', async () => {
    const agent = await offer()
    const { call, pay } = await payerOf(agent, ONE_CRED)
    const hired = await call('POST', '/agents/hire', { body: { agentId: agent.id, budgetLimit: 5 } })
    expect(hired.body).toMatchObject({ spent: 0, remaining: 5, requestsPaid: 1_000_000_000 })
    await pay(7n)
    const own = (await call('GET', '/agents/hire')).body.hires as Body[]
    const owners = (await agent.asOwner('GET', `/agents/${agent.id}/hires`)).body.hires as Body[]
    for (const [hire] of [own, owners])
      expect(hire).toMatchObject({ spent: 0, remaining: 5, requestsPaid: 1_000_000_007 })
    const ended = await call('DELETE', `/agents/hire?id=${hired.body.id}`)
    expect(ended.body).toMatchObject({ spent: 0, requestsPaid: 1_000_000_007 })
    // Another wallet's are its own.
    const other = await payerOf(agent, 0n)
    const others = await other.call('POST', '/agents/hire', { body: { agentId: agent.id } })
    expect(others.body).toMatchObject({ requestsPaid: 0 })
  })

  it('is counted per day in the agent’s public history', async () => {
    const agent = await offer()
    const { pay } = await payerOf(agent, ONE_CRED)
    await pay(5n)
    await pay(1_000n, null)
    const { body } = await service.call('GET', `/agents/${agent.id}/history`)
    const days = body.days as Body[]
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ requests: 3, requestsPaid: 1_000_000_005, hires: 0 })
    expect(days.at(-2)).toMatchObject({ requests: 0, requestsPaid: 0 })
  })

  it('needs no extra statement to rate, list and show', async () => {
    const agent = await offer()
    const { rate, call } = await payerOf(agent, ONE_CRED)
    expect(await service.countSql(() => rate(5))).toBe(1)
    expect(await service.countSql(() => list(agent))).toBe(1)
    expect(await service.countSql(() => service.call('GET', `/agents/${agent.id}/history`))).toBe(1)
    expect(await service.countSql(() => call('GET', '/agents/hire'))).toBe(1)
  })
})
