import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { codeHash } from '../../lib/pioneer/code-hash.ts'
import { insertInvites, revokeInvite, selectInvites } from '../../lib/pioneer/invite-queries.ts'
import { issueInvites } from '../../lib/pioneer/issue.ts'
import { redeemInviteCode } from '../../lib/pioneer/redeem.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

let db: DrizzleDb
let close: () => Promise<void>
/** More than all tests together take, but for the one that lowers it. */
let spots = 10_000
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const newWallet = () => createWallet().publicKey as Wallet
const issue = (count: number) => issueInvites({ db, now: NOW }, { count, tier: 'founding' })
const taken = async () =>
  (await db.execute<{ taken: number }>('select taken from pioneer_spots')).rows[0]?.taken ?? 0
const pioneersRecorded = async () =>
  Number((await db.execute<{ count: string }>('select count(*) from pioneers')).rows[0]?.count)

/** The refusal's code, or 'joined'. */
async function redeem(inviteCode: string, wallet = newWallet(), referredBy?: Wallet): Promise<string> {
  try {
    const request = { inviteCode, walletAddress: wallet, ...(referredBy ? { referredBy } : {}) }
    await redeemInviteCode({ db, now: NOW, spots, notify: () => {} }, request)
    return 'joined'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, (outcome) => outcome)].map(([name, all]) => [name, all.length]),
  )

it('gives the last fifty spots to fifty of two hundred codes; the others stay valid', async () => {
  const codes = await issue(200)
  const before = await taken()
  spots = before + 50
  expect(tally(await Promise.all(codes.map((code) => redeem(code))))).toEqual({
    joined: 50,
    no_spots_left: 150,
  })
  expect(await taken()).toBe(before + 50)
  expect(await pioneersRecorded()).toBe(before + 50)
  spots = 10_000
  expect(tally(await Promise.all(codes.map((code) => redeem(code))))).toEqual({
    joined: 150,
    invite_code_invalid: 50,
  })
})

it('any mixture of codes and wallets joins each once, and counts what it recorded', async () => {
  const codes = await issue(10)
  const wallets = Array.from({ length: 10 }, newWallet)
  const pairs = codes.flatMap((code) => wallets.map((wallet) => ({ code, wallet })))
  const referrer = wallets[0]
  const outcomes = await Promise.all(pairs.map(({ code, wallet }) => redeem(code, wallet, referrer)))
  const joined = outcomes.filter((outcome) => outcome === 'joined').length
  expect(joined).toBeGreaterThan(0)
  expect(Object.keys(tally(outcomes)).sort()).toEqual(['already_registered', 'invite_code_invalid', 'joined'])
  expect(await taken()).toBe(await pioneersRecorded())
  const used = (await selectInvites(db)).filter((invite) => invite.usedAt)
  expect(used).toHaveLength(await taken())
  expect(new Set(used.map((invite) => invite.usedBy)).size).toBe(used.length)
})

it('a code that is revoked while it is redeemed is either used or revoked', async () => {
  const codes = await issue(30)
  const outcomes = await Promise.all(
    codes.map(async (code) => {
      const hash = await codeHash(code)
      const [redeemed, revoked] = await Promise.all([redeem(code), revokeInvite(db, { codeHash: hash }, NOW)])
      return { redeemed, wasRevoked: revoked?.revokedAt !== null }
    }),
  )
  for (const { redeemed, wasRevoked } of outcomes) {
    expect(wasRevoked).toBe(redeemed !== 'joined')
  }
})

it('the database keeps no code that is not redeemed', async () => {
  const [code = ''] = await issue(1)
  const dump = async () => JSON.stringify((await db.execute('select * from invite_codes')).rows)
  expect(await dump()).not.toContain(code)
  expect(await dump()).toContain(await codeHash(code))
})

it('a code that chance draws twice is stored once', async () => {
  const [code = ''] = await issue(1)
  const codes = [{ id: crypto.randomUUID(), codeHash: await codeHash(code) }]
  expect(await insertInvites(db, { codes, tier: 'early', issuedAt: NOW })).toEqual([])
})

it('ten thousand codes are issued, all different', async () => {
  const codes = await issue(10_000)
  expect(new Set(codes).size).toBe(10_000)
})
