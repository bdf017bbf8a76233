import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { codeHash } from '../../lib/pioneer/code-hash.ts'
import { insertInvites } from '../../lib/pioneer/invite-queries.ts'
import { refusedPaths } from '../support/agents.ts'
import { openInvites } from '../support/invites.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'

const SPOTS = 20

let service: Service
let invites: Awaited<ReturnType<typeof openInvites>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'pioneer', 'marketplace', 'reputation'] })
  invites = await openInvites(service)
})
afterAll(async () => {
  await invites.close()
  await service.stop()
})

const newWallet = () => createWallet().publicKey
const redeem = (inviteCode: unknown, walletAddress: unknown = newWallet(), changes: Body = {}) =>
  service.call('POST', '/pioneer', { body: { inviteCode, walletAddress, ...changes } })
const status = async (wallet: string) =>
  (await service.call('GET', `/pioneer?user_id=${encodeURIComponent(wallet)}`)).body
const countOf = (answers: Answer[], wanted: number) =>
  answers.filter((answer) => answer.status === wanted).length

describe('redeeming an invite code', () => {
  it('makes a wallet a pioneer of the code’s tier, which everyone can see', async () => {
    for (const tier of ['founding', 'early', 'genesis'] as const) {
      const wallet = newWallet()
      const code = await invites.issueOne({ tier })
      const answer = await redeem(code, wallet)
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        isPioneer: true,
        tier,
        joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        inviteCode: code,
        referralBounties: 0,
      })
      expect(await status(wallet)).toEqual(answer.body)
    }
  })

  it('reads codes in any case, with look-alikes and spaces, and shows them as issued', async () => {
    const spellings = [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
      (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'I'),
      (code: string) => ` ${code.replaceAll('-', ' ')} `,
      (code: string) => code.replaceAll('-', ''),
    ]
    for (const spelling of spellings) {
      const code = await invites.issueOne()
      const answer = await redeem(spelling(code))
      expect(answer.body, spelling(code)).toMatchObject({ inviteCode: code })
    }
  })

  it('takes a code of eight characters, as they were issued before', async () => {
    const former = { id: uuidv7(), codeHash: await codeHash('CRED-7K3M-9QXZ') }
    await insertInvites(invites.db, {
      codes: [former],
      tier: 'early',
      issuedAt: new Date(service.clock.now()),
    })
    const answer = await redeem('cred 7k3m 9qxz')
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ inviteCode: 'CRED-7K3M-9QXZ', tier: 'early' })
    expect((await redeem('CRED-7K3M-9QXZ')).status).toBe(400)
  })

  it('is refused alike for a code that is unknown, malformed, used, expired or revoked', async () => {
    const used = await invites.issueOne()
    await redeem(used)
    const expired = await invites.issueOne({ expiresAt: new Date(service.clock.now()) })
    const revoked = await invites.issueOne()
    await invites.revoke(revoked)
    const answers = []
    for (const code of ['CRED-0000-0000', 'x', '', 'CRED-\u0000', used, expired, revoked]) {
      answers.push(await redeem(code))
    }
    const bodies = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, ...rest }))
    expect(bodies[0]).toMatchObject({ status: 400, code: 'invite_code_invalid' })
    for (const body of bodies) expect(body).toEqual(bodies[0])
  })

  it('is taken until the instant at which the code expires', async () => {
    const code = await invites.issueOne({ expiresAt: new Date(service.clock.now() + 60_000) })
    expect((await redeem(code)).status).toBe(201)
  })

  it('returns 409 for a registered wallet, before the code, which stays valid', async () => {
    const wallet = newWallet()
    const first = await invites.issueOne()
    await redeem(first, wallet)
    const second = await invites.issueOne()
    for (const code of [second, first, 'CRED-0000-0000', 'x']) {
      const answer = await redeem(code, wallet)
      expect(answer.body, code).toMatchObject({ status: 409, code: 'already_registered' })
    }
    expect((await redeem(second)).status).toBe(201)
  })

  it('names the fields that are missing, malformed or unknown', async () => {
    const code = await invites.issueOne()
    expect(refusedPaths(await service.call('POST', '/pioneer', { body: {} }))).toEqual([
      'inviteCode',
      'walletAddress',
    ])
    expect(refusedPaths(await redeem(5))).toEqual(['inviteCode'])
    expect(refusedPaths(await redeem(code, 'not a wallet'))).toEqual(['walletAddress'])
    expect(refusedPaths(await redeem(code, newWallet(), { referredBy: 'x' }))).toEqual(['referredBy'])
    expect(refusedPaths(await redeem(code, newWallet(), { referrer: newWallet() }))).toEqual(['referrer'])
    expect((await redeem(code)).status).toBe(201)
  })

  it('takes one round trip, and so does the status', async () => {
    const wallet = newWallet()
    const code = await invites.issueOne()
    expect(await service.countSql(() => redeem('CRED-0000-0000', wallet))).toBe(1)
    expect(await service.countSql(() => redeem(code, wallet))).toBe(1)
    expect(await service.countSql(() => redeem(code, wallet))).toBe(1)
    expect(await service.countSql(() => status(wallet))).toBe(1)
  })
})

describe('the status', () => {
  it('of an unknown wallet, and of any other text, is that it is no pioneer', async () => {
    for (const text of [newWallet(), 'anyone', ' ', '\u0000', '💡', 'x'.repeat(2000)]) {
      expect(await status(text), text).toEqual({ isPioneer: false })
    }
    expect(refusedPaths(await service.call('GET', '/pioneer'))).toEqual(['user_id'])
    expect(refusedPaths(await service.call('GET', '/pioneer?user_id='))).toEqual(['user_id'])
  })

  it('carries an ETag', async () => {
    const path = `/pioneer?user_id=${newWallet()}`
    const { headers } = await service.call('GET', path)
    const again = await service.call('GET', path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })
})

describe('a referrer', () => {
  it('earns a bounty and a counterparty if a pioneer, else is stored without them', async () => {
    const referrer = newWallet()
    await redeem(await invites.issueOne(), referrer)
    for (const expected of [1, 2]) {
      const answer = await redeem(await invites.issueOne(), newWallet(), { referredBy: referrer })
      expect(answer.body).toMatchObject({ referredBy: referrer, referralBounties: 0 })
      expect(await status(referrer)).toMatchObject({ referralBounties: expected })
    }
    const { body } = await service.call('GET', `/reputation?user_id=${referrer}`)
    // Two referrals, a tenth each: 200 (1 - e^-0.02).
    expect(body.breakdown).toMatchObject({ social: 3.96 })

    const stranger = newWallet()
    const brought = newWallet()
    await redeem(await invites.issueOne(), brought, { referredBy: stranger })
    expect(await status(brought)).toMatchObject({ referredBy: stranger })
    await redeem(await invites.issueOne(), stranger)
    expect(await status(stranger)).toMatchObject({ referralBounties: 0 })

    const self = newWallet()
    await redeem(await invites.issueOne(), self, { referredBy: self })
    expect(await status(self)).toMatchObject({ referredBy: self, referralBounties: 0 })
  })

  it('earns nothing by a code that is refused', async () => {
    const referrer = newWallet()
    await redeem(await invites.issueOne(), referrer)
    expect((await redeem('CRED-0000-0000', newWallet(), { referredBy: referrer })).status).toBe(400)
    expect(await status(referrer)).toMatchObject({ referralBounties: 0 })
  })
})

describe('in parallel', () => {
  it('one code makes one of twenty wallets a pioneer', async () => {
    const code = await invites.issueOne()
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    expect([countOf(answers, 201), countOf(answers, 400)]).toEqual([1, 19])
  })

  it('one wallet uses one of twenty codes', async () => {
    const codes = await invites.issue(20)
    const wallet = newWallet()
    const answers = await Promise.all(codes.map((code) => redeem(code, wallet)))
    expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([1, 19])
    const others = await Promise.all(codes.map((code) => redeem(code)))
    expect([countOf(others, 201), countOf(others, 400)]).toEqual([19, 1])
  })

  it('one request sent twenty times counts once, and says so the other times', async () => {
    const code = await invites.issueOne()
    const wallet = newWallet()
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code, wallet)))
    expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([1, 19])
  })

  it('eighty codes for twenty spots give exactly twenty', async () => {
    const own = await startService({
      groups: ['auth', 'agents', 'pioneer', 'marketplace', 'reputation'],
      bindings: { PIONEER_SPOTS: String(SPOTS) },
    })
    const issuer = await openInvites(own)
    try {
      const codes = await issuer.issue(80)
      const post = (inviteCode: string) =>
        own.call('POST', '/pioneer', { body: { inviteCode, walletAddress: newWallet() } })
      const answers = await Promise.all(codes.map(post))
      expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([SPOTS, 60])
      const refused = answers.find((answer) => answer.status === 409)
      expect(refused?.body.code).toBe('no_spots_left')
      expect((await post('CRED-0000-0000')).status).toBe(400)
      const { body } = await own.call('GET', '/marketplace/stats')
      expect(body).toMatchObject({ totalPioneers: SPOTS, spotsRemaining: 0 })
    } finally {
      await issuer.close()
      await own.stop()
    }
  })
})

describe('guessing', () => {
  it('is limited by address, and reading is not with it', async () => {
    const own = await startService({
      groups: ['auth', 'agents', 'pioneer', 'marketplace', 'reputation'],
      rateLimits: true,
    })
    try {
      const guess = (address: string) =>
        own.call('POST', '/pioneer', {
          body: { inviteCode: 'CRED-0000-0000', walletAddress: newWallet() },
          headers: { 'cf-connecting-ip': address },
        })
      const answers = []
      for (let i = 0; i < 25; i++) answers.push(await guess('203.0.113.9'))
      const limited = answers.find((answer) => answer.status === 429)
      // The window of the rate limit may end once meanwhile.
      expect(countOf(answers, 400)).toBeLessThanOrEqual(20)
      expect(limited?.body.code).toBe('rate_limited')
      expect(limited?.headers.get('ratelimit-policy')).toBe('"pioneer";q=10;w=60')
      expect(limited?.headers.get('retry-after')).toBe('60')
      expect((await guess('203.0.113.10')).status).toBe(400)
      const read = await own.call('GET', '/pioneer?user_id=x', {
        headers: { 'cf-connecting-ip': '203.0.113.9' },
      })
      expect(read.status).toBe(200)
    } finally {
      await own.stop()
    }
  })
})
