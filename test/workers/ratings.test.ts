import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { openDatabaseOf } from '../support/service-database.ts'

let service: Service
let database: Awaited<ReturnType<typeof openDatabaseOf>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'reputation'] })
  database = await openDatabaseOf(service)
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

/** An agent of a new owner. */
async function offer() {
  const { wallet, call } = await service.signIn()
  const { id } = await register(call)
  return { id, wallet, owner: wallet.publicKey as Wallet, asOwner: call }
}
type Offer = Awaited<ReturnType<typeof offer>>

/** A hire of an agent, for which so much was collected. */
async function hireOf({ id, owner }: Offer, paid: bigint, by: KeyWallet = createWallet()) {
  const { wallet, call } = await service.signIn(by)
  const payer = wallet.publicKey as Wallet
  const hire = await call('POST', '/agents/hire', { body: { agentId: id } })
  expect(hire.status).toBe(201)
  const hireId = String(hire.body.id)
  const hired = { hireId, agentId: id, owner, payer }
  if (paid > 0n)
    await recordPayments(database.db, [{ ...hired, layer: 10, amount: paid, fee: protocolFee(paid, 100) }])
  const rate = (rating: number, more: Body = {}) =>
    call('POST', '/reputation/ratings', { body: { hireId, rating, ...more } })
  return { ...hired, wallet, call, rate }
}
const agent = async ({ id }: Offer) => (await service.call('GET', `/agents/${id}`)).body
const list = (agentId: string, more = '') =>
  service.call('GET', `/reputation/ratings?agentId=${agentId}${more}`)

describe('a rating', () => {
  it('is accepted for a paid hire, and unchanged when sent again', async () => {
    const offered = await offer()
    const { rate, payer } = await hireOf(offered, 40n * ONE_CRED)
    const rated = await rate(4, { comment: '  Did what it said. ' })
    expect(rated.status).toBe(201)
    expect(rated.body).toMatchObject({
      agentId: offered.id,
      wallet: payer,
      rating: 4,
      comment: 'Did what it said.',
      paid: 40_000_000_000,
      paidFormatted: '40',
    })
    const again = await rate(4, { comment: 'Did what it said.' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(rated.body)
    expect((await list(offered.id)).body).toEqual({ ratings: [rated.body], count: 1 })
    expect(await agent(offered)).toMatchObject({ rating: 4, ratings: 1, ratingsWeight: 0.4 })
  })

  it('is rejected below MIN_PAID, of one’s own agent, and of another’s hire', async () => {
    const offered = await offer()
    const free = await hireOf(offered, 0n)
    const refused = await free.rate(1)
    expect([refused.status, refused.body.code]).toEqual([409, 'too_little_paid'])
    expect(refused.body.detail).toBe(
      'You can rate this hire after 1 CRED has been collected for it (0 so far).',
    )
    const short = await hireOf(offered, ONE_CRED - 1n)
    expect((await short.rate(1)).body.detail).toContain('(0.999999999 so far)')
    const own = await hireOf(offered, 5n * ONE_CRED, offered.wallet)
    expect((await own.rate(5)).body).toMatchObject({ status: 403, code: 'own_hire' })
    const body = { hireId: short.hireId, rating: 1 }
    expect((await free.call('POST', '/reputation/ratings', { body })).body.code).toBe('hire_not_found')
    expect(await agent(offered)).toMatchObject({ ratings: 0, ratingsWeight: 0 })
    expect(await agent(offered)).not.toHaveProperty('rating')
  })

  it('may be revised once within thirty days', async () => {
    const offered = await offer()
    const { rate } = await hireOf(offered, 2n * ONE_CRED)
    await rate(5, { comment: 'Good.' })
    const revised = await rate(2)
    expect(revised.status).toBe(200)
    expect(revised.body).toMatchObject({ rating: 2, revisedAt: expect.any(String) })
    expect(revised.body).not.toHaveProperty('comment')
    expect((await rate(2)).body).toEqual(revised.body)
    expect((await rate(5)).body).toMatchObject({ status: 409, code: 'rating_final' })
    expect(await agent(offered)).toMatchObject({ rating: 2, ratings: 1 })

    const late = await hireOf(offered, 2n * ONE_CRED)
    await late.rate(3)
    await service.clock.travelTo(service.clock.now() + 30 * DAY_MS)
    const { call } = await service.signIn(late.wallet)
    const body = { hireId: late.hireId, rating: 4 }
    expect((await call('POST', '/reputation/ratings', { body })).body.code).toBe('rating_final')
  })

  it.each([
    [{ rating: 0 }, 'rating'],
    [{ rating: 6 }, 'rating'],
    [{ rating: 4.5 }, 'rating'],
    [{ comment: 'a\u0000b' }, 'comment'],
    [{ comment: 'a\u202eb' }, 'comment'],
    [{ comment: '   ' }, 'comment'],
    [{ comment: '😀'.repeat(501) }, 'comment'],
    [{ hireId: 'x' }, 'hireId'],
    [{ stars: 5 }, 'stars'],
  ])('is rejected with %j, naming %s', async (change, path) => {
    const { call } = await service.signIn()
    const body = { hireId: crypto.randomUUID(), rating: 5, ...change }
    const refused = await call('POST', '/reputation/ratings', { body })
    expect([refused.status, refusedPaths(refused)]).toEqual([400, [path]])
  })

  it('is answered once, by the agent’s owner', async () => {
    const offered = await offer()
    const { rate, call } = await hireOf(offered, ONE_CRED)
    const { id } = (await rate(1)).body
    const answer = (as: Call, text: string) =>
      as('POST', `/reputation/ratings/${id}/answer`, { body: { answer: text } })
    expect((await answer(call, 'Mine.')).body.code).toBe('rating_not_found')
    const answered = await answer(offered.asOwner, 'We have mended it.')
    expect(answered.body).toMatchObject({ answer: 'We have mended it.', answeredAt: expect.any(String) })
    expect((await answer(offered.asOwner, 'We have mended it.')).body).toEqual(answered.body)
    expect((await answer(offered.asOwner, 'No.')).body.code).toBe('already_answered')
    expect((await answer(offered.asOwner, '\u0007')).status).toBe(400)
    expect((await list(offered.id)).body.ratings).toEqual([answered.body])
  })

  it('is listed in pages, newest first', async () => {
    const offered = await offer()
    const ids: unknown[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift((await (await hireOf(offered, ONE_CRED)).rate(5)).body.id)
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { body } = await list(offered.id, `&limit=2${cursor}`)
      seen.push(...(body.ratings as Body[]).map(({ id }) => id))
      cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(ids)
    expect((await list(offered.id, '&cursor=WyJ4Il0')).status).toBe(400)
    expect((await list(crypto.randomUUID())).body).toEqual({ ratings: [], count: 0 })
    expect((await service.call('GET', '/reputation/ratings')).status).toBe(400)
  })

  it('needs one statement, as does its list; the rules need none', async () => {
    const offered = await offer()
    const { rate } = await hireOf(offered, ONE_CRED)
    expect(await service.countSql(() => rate(5))).toBe(1)
    expect(await service.countSql(() => list(offered.id))).toBe(1)
    expect(await service.countSql(() => service.call('GET', '/reputation/rules'))).toBe(0)
  })
})

describe('the sum paid', () => {
  it('raises the agent and both wallets by its weight, unless rated badly', async () => {
    const offered = await offer()
    const payers = await Promise.all([1, 2, 3].map(() => hireOf(offered, 100n * ONE_CRED)))
    const reputationOf = async (wallet: string) =>
      (await service.call('GET', `/reputation?user_id=${wallet}`)).body
    // Wilson's lower bound of 3 in 3 is 0.43849.
    expect(await agent(offered)).toMatchObject({ reputationScore: 35.08 })
    expect(await reputationOf(offered.owner)).toMatchObject({
      breakdown: { reliability: 70.16, social: 51.84, infrastructure: 40 },
      evidence: {
        reliability: { payersWeight: 3, satisfiedWeight: 3 },
        social: { counterparties: 0, paidWeight: 3 },
        infrastructure: { layers: 1, paidWeight: 1 },
      },
    })
    expect(await reputationOf(payers[0]?.payer ?? '')).toMatchObject({
      breakdown: { reliability: 0, social: 19.03 },
      evidence: { social: { paidWeight: 1 } },
    })
    await payers[0]?.rate(2)
    expect(await agent(offered)).toMatchObject({ reputationScore: 16.61 })
    expect(await reputationOf(offered.owner)).toMatchObject({
      breakdown: { reliability: 33.22, social: 51.84 },
      evidence: { reliability: { payersWeight: 3, satisfiedWeight: 2 } },
    })
  })

  it('is required to rate: twenty unpaid wallets change neither stars nor score', async () => {
    const offered = await offer()
    await (await hireOf(offered, 100n * ONE_CRED)).rate(5)
    const before = await agent(offered)
    const answers = []
    for (let n = 0; n < 20; n += 1) answers.push((await (await hireOf(offered, 0n)).rate(1)).body.code)
    expect(new Set(answers)).toEqual(new Set(['too_little_paid']))
    expect(await agent(offered)).toMatchObject({
      reputationScore: before.reputationScore,
      rating: 5,
      ratings: 1,
    })
  })
})

it('returns the price of points under the settings from GET /reputation/rules', async () => {
  const { body } = await service.call('GET', '/reputation/rules')
  expect(body).toMatchObject({ feeBps: 100, feeStepFormatted: '1', minPaidFormatted: '1' })
  const { prices } = body.reliability as { prices: Body[] }
  expect(prices.find(({ points }) => points === 110)).toMatchObject({
    feeFormatted: expect.stringMatching(/^8\.45/),
    collectedFormatted: expect.stringMatching(/^845\./),
  })
})
