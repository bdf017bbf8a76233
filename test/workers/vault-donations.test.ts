import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import { credIn, donate, fateOf, LIFETIME_MS, positionsOf } from '../support/chain.ts'
import { type Service, startService } from '../support/service.ts'
import {
  balanceOf,
  connectionOf,
  createStaker,
  DAY,
  ONE,
  rpc,
  type Staker,
  travel,
} from '../support/staker.ts'

const STAKE = 100n * BigInt(ONE)
/** floor(100e9 · 800 · 7 / (10000 · 365)) */
const WEEK_YIELD = (STAKE * 800n * 7n) / (10_000n * 365n)

let service: Service
let stranger: Staker
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
  stranger = await createStaker(service)
})
afterAll(() => service.stop())

/** A staker whose 100 CRED are unlocked. */
async function createHolder() {
  const staker = await createStaker(service, STAKE)
  await staker.relay(await staker.stack(Number(STAKE), 7))
  const [shown] = await positionsOf(staker)
  await travel(service, 8 * DAY)
  await staker.signInAgain()
  await stranger.signInAgain()
  return { staker, position: parseAddress(String(shown?.address)) }
}

const donation = (position: Address, amount = 1n) => donate(service, stranger, position, amount)

const closeAccount = (staker: Staker, positionId: number) =>
  staker.call('POST', '/vault/leftovers', { body: { positionId } })

describe('a stranger who sends a unit before every attempt', () => {
  it('fails one withdrawal, and the second succeeds; what is left is closed by itself', async () => {
    const { staker, position } = await createHolder()
    const first = await staker.unstack(0)
    await donation(position)
    expect((await staker.relay(first)).body).toMatchObject({ status: 409, code: 'transaction_failed' })
    const second = await staker.unstack(0)
    expect(second.body.message).toContain('POST /vault/leftovers')
    await donation(position)
    expect((await staker.relay(second)).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD + 1n)
    expect(await fateOf(service, staker, second)).toMatchObject({ status: 'landed', positionId: 0 })
    expect(await positionsOf(staker)).toEqual([])
    expect(await credIn(service, position)).toBe(1n)

    const blocked = await closeAccount(staker, 0)
    await donation(position)
    expect((await staker.relay(blocked)).body).toMatchObject({ code: 'transaction_failed' })
    const before = await connectionOf(service).getBalance(new PublicKey(staker.owner))
    const last = await closeAccount(staker, 0)
    expect((await staker.relay(last)).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD + 3n)
    expect(await balanceOf(service, position)).toBeUndefined()
    expect(await connectionOf(service).getBalance(new PublicKey(staker.owner))).toBeGreaterThan(before)
    expect(await fateOf(service, staker, last)).toMatchObject({ kind: 'leftovers', status: 'landed' })
    expect((await closeAccount(staker, 0)).body).toMatchObject({ status: 400, code: 'no_leftovers' })
  })

  it('does so after a withdrawal that has expired, too', async () => {
    const { staker, position } = await createHolder()
    const first = await staker.unstack(0)
    await donation(position)
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, first)).toMatchObject({ status: 'expired' })
    const second = await staker.unstack(0)
    await donation(position)
    expect((await staker.relay(second)).status).toBe(200)
    expect(await positionsOf(staker)).toEqual([])
  })

  it('can not keep a withdrawn position open by sending its principal back', async () => {
    const { staker, position } = await createHolder()
    await donation(position)
    const built = await staker.unstack(0)
    await staker.relay(built)
    expect(await positionsOf(staker)).toEqual([])
    await donation(position, STAKE)
    await service.runJobs('settlement')
    expect(await positionsOf(staker)).toEqual([])
    expect((await staker.unstack(0)).body).toMatchObject({ code: 'position_not_found' })
    expect((await staker.relay(await closeAccount(staker, 0))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + STAKE + WEEK_YIELD + 1n)
  })
})

describe('a withdrawal that leaves its account open', () => {
  it('makes no claim land that was not sent, so the other position keeps its yield', async () => {
    const staker = await createStaker(service, 2n * STAKE)
    await staker.relay(await staker.stack(Number(STAKE), 7))
    const [short] = await positionsOf(staker)
    await staker.relay(await staker.stack(Number(STAKE), 365))
    await positionsOf(staker)
    await travel(service, 8 * DAY)
    await staker.signInAgain()
    await stranger.signInAgain()
    await donation(parseAddress(String(short?.address)))
    const claim = await staker.claim()
    expect(claim.status).toBe(200)
    await staker.send(await staker.unstack(0))
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'expired' })
    expect(await positionsOf(staker)).toMatchObject([{ id: 1, claimed: 0 }])
    expect((await staker.relay(await staker.claim(1))).status).toBe(200)
  })
})

describe('residual accounts', () => {
  it('are only of a withdrawn position: not of an open, unknown or another’s one', async () => {
    const { staker } = await createHolder()
    for (const id of [0, 1]) {
      expect((await closeAccount(staker, id)).body).toMatchObject({ status: 400, code: 'position_not_found' })
    }
    await staker.relay(await staker.unstack(0))
    await positionsOf(staker)
    expect((await closeAccount(stranger, 0)).body).toMatchObject({ code: 'position_not_found' })
    expect((await closeAccount(staker, 0)).body).toMatchObject({ status: 400, code: 'no_leftovers' })
  })
})

describe('a wallet with CRED and without SOL', () => {
  it('is shown how much SOL it needs when it stakes, with either signing order', async () => {
    const poor = await createStaker(service, STAKE * 2n)
    await rpc(service, 'surfnet_setAccount', [poor.owner, { lamports: 0 }])
    const needs = /: the wallet can’t pay the network fee: it needs 0\.00\d+ SOL \(/
    for (const answer of [
      await poor.relay(await poor.stack(Number(STAKE))),
      await poor.relayFirst(await poor.first.stack(Number(STAKE))),
    ])
      expect(answer.body).toMatchObject({
        code: 'transaction_failed',
        detail: expect.stringMatching(needs),
      })
  })
})
