import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECHECK_MS } from '../../lib/transactions/confirmation/check-schedule.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { LIFETIME_MS, rowsOf } from '../support/chain.ts'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'
import { createStaker, giveCred, ONE, type Staker, travel, travelToNoon } from '../support/staker.ts'

/** The principal of a one-year stake whose yield is the largest that one wallet may reserve. */
const LARGEST = 312_500 * ONE
/** Batches of one caller, each of one call; the newest final block; and searches. */
const MAX_CALLS = 3 + 1 + 20

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
  await travelToNoon(service)
})
afterAll(() => service.stop())

/** The principal of a one-year stake whose yield is nearly what one wallet may take in a day. */
const MOST = 620_000 * ONE

/** The network never sees what the service sends. */
const lost: Fault = async (request) => {
  const { method } = (await request.clone().json()) as { method: string }
  if (method === 'sendTransaction') throw new Error('connection reset')
  return service.solana.outbound(request) ?? new Response(null)
}

const EXPIRED_MS = LIFETIME_MS + 20_000

/** Passes the same capital through so many wallets, each of which keeps it until it has built. */
async function passThrough(
  wallets: Staker[],
  amount: number,
  build: (wallet: Staker) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const wallet of wallets) {
    await giveCred(service, wallet.owner, amount)
    answers.push(await build(wallet))
    await giveCred(service, wallet.owner, 0)
  }
  return answers
}

const walletsOf = async (count: number, cred: number) => {
  const wallets: Staker[] = []
  for (let n = 0; n < count; n += 1) wallets.push(await createStaker(service, cred))
  return wallets
}

const reserved = async () => {
  const query = 'select reserved + landed from vault_yield_days order by day desc limit 1'
  return Number((await rowsOf(service, query))[0]?.[0] ?? 0) / ONE
}

describe('a stack that can not land any more', () => {
  it('of 80 wallets with one lamport and ten with passed capital stops no stake', async () => {
    const [cheap, large] = [await walletsOf(80, 1), await walletsOf(10, 0)]
    for (const wallet of cheap) expect((await wallet.stack(1, 365)).status).toBe(200)
    const answers = await passThrough(large, LARGEST, (wallet) => wallet.stack(LARGEST, 365))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await reserved()).toBe(500_000)
    const honest = await createStaker(service)
    // They may still land.
    expect((await honest.stack(100 * ONE, 365)).body).toMatchObject({ status: 409, code: 'yield_limit' })
    await travel(service, EXPIRED_MS)
    const answer: Answer[] = []
    const calls = await service.countRpc(async () => answer.push(await honest.stack(100 * ONE, 365)))
    expect(answer[0]?.status).toBe(200)
    expect(calls).toBeLessThanOrEqual(MAX_CALLS)
    expect(await reserved()).toBe(16)
    expect((await honest.relay(answer[0] as Answer)).status).toBe(200)
  })

  it('of ten wallets whose cosigned stacks failed for moved tokens stops no stake', async () => {
    await travelToNoon(service)
    const wallets = await walletsOf(10, 0)
    for (const wallet of wallets) {
      expect((await wallet.relayFirst(await wallet.first.stack(ONE, 7))).status).toBe(200)
    }
    const signed = await passThrough(wallets, MOST, async (wallet) => {
      const built = await wallet.first.stack(MOST, 365)
      return service.withRpcFault(lost, () => wallet.relayFirst(built))
    })
    expect(signed.map(({ body }) => body.code)).toEqual(Array(10).fill('dependency_unavailable'))
    expect(await reserved()).toBe(992_000)
    const honest = await createStaker(service, 100_000 * ONE)
    expect((await honest.stack(60_000 * ONE, 365)).body).toMatchObject({ code: 'yield_limit' })
    await travel(service, EXPIRED_MS)

    // Of twenty at once one asks the chain; the others are to ask again.
    const answers: Answer[] = []
    const calls = await service.countRpc(async () => {
      const stacks = Array.from({ length: 20 }, () => honest.stack(60_000 * ONE, 365))
      answers.push(...(await Promise.all(stacks)))
    })
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBeGreaterThan(0)
    for (const { body, headers } of refused) {
      expect(['yield_settling', 'too_many_open_stacks']).toContain(body.code)
      if (body.code === 'yield_settling')
        expect([body.status, headers.get('retry-after')]).toEqual([503, '2'])
    }
    // Building makes two calls of each kind, and the owner's own read makes two.
    expect(calls).toBeLessThanOrEqual(MAX_CALLS + 20 * 2 + 2)
    await travel(service, 2_001)
    expect((await honest.stack(60_000 * ONE, 7)).status).toBe(200)
  })
})

it('finds at the second check a stack that a node reported as expired', async () => {
  const staker = await createStaker(service)
  const built = await staker.stack(ONE, 7)
  expect((await staker.relay(built)).status).toBe(200)
  const id = String(built.body.id)
  const expire = `select outcome from ${API_SCHEMA}.expire_vault_intent($1, $2, null,
    (select last_valid_block_height from vault_intents where id = $1), false, now())`
  expect(await rowsOf(service, expire, id, staker.owner)).toEqual([['expired']])
  await travel(service, RECHECK_MS)
  await service.runJobs('settlement')
  expect(await staker.status(built)).toMatchObject({ status: 'landed' })
  expect((await staker.vault()).body).toMatchObject({ balances: { cred: ONE } })
})
