import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rideAlarms } from '../support/alarms.ts'
import type { Body, Service } from '../support/service.ts'
import { startService } from '../support/service.ts'
import { balanceOf, createStaker, DAY, keypairOf, ONE, travel, travelToNoon } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

const positionsOf = (vault: { body: Body }) => vault.body.positions as Body[]

describe('the whole cycle', () => {
  it('stacks, earns, claims and withdraws to the lamport', async () => {
    const staker = await createStaker(service)
    const before = await service.call('GET', `/vault?owner=${staker.owner}`)
    expect(before.body).toMatchObject({ status: 404, code: 'vault_not_found' })

    const first = await staker.stack(100 * ONE, 365)
    expect(first.body).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      message: expect.stringMatching(/^Signing locks 100 CRED until /),
      quote: { amount: 100 * ONE, apyBps: 1600, yield: 16 * ONE, yieldFormatted: '16', funded: true },
    })
    expect((await service.call('GET', `/vault?owner=${staker.owner}`)).status).toBe(404)
    expect((await staker.relay(first)).status).toBe(200)
    const second = await staker.stack(50 * ONE, 7)
    expect(second.body.quote).toMatchObject({ vaultRent: 0 })
    await staker.send(second)
    expect(await staker.cred()).toBe(850n * BigInt(ONE))

    const opened = await staker.vault()
    expect(opened.body).toMatchObject({
      exists: true,
      owner: staker.owner,
      balances: { cred: 150 * ONE, credFormatted: '150', stacked: 150 * ONE, stackedFormatted: '150' },
    })
    const quote = first.body.quote as Body
    expect(positionsOf(opened)[0]).toEqual({
      id: 0,
      amount: 100 * ONE,
      amountFormatted: '100',
      lockDays: 365,
      apyBps: 1600,
      stakedAt: quote.stakedAt,
      unlocksAt: quote.unlocksAt,
      isLocked: true,
      address: expect.any(String),
      escrowed: 116 * ONE,
      claimed: 0,
      yield: 16 * ONE,
      pendingYield: expect.any(Number),
    })
    const unlocks = Date.parse(String(quote.unlocksAt))
    expect(unlocks - Date.parse(String(quote.stakedAt))).toBe(365 * DAY)
    expect(await balanceOf(service, positionsOf(opened)[0]?.address)).toBe(116n * BigInt(ONE))
    expect(await staker.status(first)).toMatchObject({ kind: 'stack', status: 'landed', positionId: 0 })

    const locked = await staker.unstack(0)
    expect(locked.body).toMatchObject({ status: 400, code: 'position_locked' })

    // Seven days on: claim from both, then withdraw the short one.
    await travel(service, 7 * DAY)
    await staker.signInAgain()
    const claim = await staker.claim()
    expect(claim.body.message).toMatch(/of yield from 2 positions into your account/)
    await staker.relay(claim)
    const afterClaim = await staker.vault()
    const [long, short] = positionsOf(afterClaim)
    expect(short).toMatchObject({ claimed: Number(shortYield), isLocked: false, escrowed: 50 * ONE })
    expect(await staker.cred()).toBe(850n * BigInt(ONE) + BigInt(Number(long?.claimed)) + shortYield)
    expect((await staker.claim(1)).body).toMatchObject({ status: 400, code: 'nothing_to_claim' })

    const withdrawal = await staker.unstack(1)
    expect(withdrawal.body.message).toMatch(
      /^Signing withdraws 50 CRED: 50 CRED principal and 0 CRED yield\./,
    )
    await staker.relay(withdrawal)
    expect(positionsOf(await staker.vault()).map(({ id }) => id)).toEqual([0])
    expect((await staker.unstack(1)).body).toMatchObject({ status: 400, code: 'position_not_found' })

    // Past the end: the rest of the yield comes with the principal, and not a lamport more.
    await travel(service, 400 * DAY)
    await staker.signInAgain()
    const last = await staker.unstack(0)
    await staker.relay(last)
    const empty = await staker.vault()
    expect(empty.body).toMatchObject({
      exists: true,
      balances: { cred: 0, credFormatted: '0', stacked: 0, pendingYield: 0 },
      positions: [],
    })
    expect(await staker.cred()).toBe(1000n * BigInt(ONE) + 16n * BigInt(ONE) + shortYield)
    expect(await staker.status(last)).toMatchObject({ kind: 'unstack', status: 'landed', positionId: 0 })
  })

  /** floor(50e9 · 800 · 7 days / (10000 · 365 days)) */
  const shortYield = (50_000_000_000n * 800n * 7n) / (10_000n * 365n)

  it('builds for a wallet without funds, and says so', async () => {
    const poor = await createStaker(service, 0)
    const answer = await poor.stack(ONE)
    expect(answer.status).toBe(200)
    expect(answer.body.quote).toMatchObject({ funded: false })
    expect(answer.body.message).toContain('does not hold 1 CRED')
    expect((await poor.relay(answer)).body).toMatchObject({ status: 409, code: 'not_cosigned' })
  })

  it('takes a claim without a body as one of all positions', async () => {
    const staker = await createStaker(service)
    await staker.relay(await staker.stack(ONE))
    await staker.vault()
    await travel(service, 60_000)
    const answer = await staker.call('POST', '/vault/claim')
    expect(answer.status).toBe(200)
  })
})

describe('a new stake', () => {
  const MINUTE = 60_000
  const ride = (ms: number) => rideAlarms(service, service.clock.now() + ms)

  it('schedules a check and a read of positions when the service signs first', async () => {
    const staker = await createStaker(service)
    await staker.relay(await staker.stack(ONE))
    // The other tests leave stakes, which are checked for a day.
    await ride(2 * DAY)
    await travelToNoon(service)
    await staker.signInAgain()
    await ride(10 * MINUTE)
    await staker.first.stack(ONE)
    expect(await ride(60 * MINUTE)).toEqual([])

    const since = service.clock.now()
    const built = await staker.stack(ONE)
    const tookMs = service.clock.now() - since
    await staker.relay(built)
    const [check, positions, ...others] = (await ride(60 * MINUTE)).map((at) => at - since)
    expect(check).toBeGreaterThanOrEqual(5_000)
    expect(check).toBeLessThanOrEqual(5_001 + tookMs)
    // Due after a minute, with a tolerance of five.
    expect(positions).toBeGreaterThanOrEqual(6 * MINUTE)
    expect(positions).toBeLessThanOrEqual(6 * MINUTE + 1 + tookMs)
    expect(others).toEqual([])
    expect(await staker.status(built)).toMatchObject({ status: 'landed' })
  })
})

describe('yield', () => {
  it.each([
    [7, 800n],
    [30, 1000n],
    [90, 1200n],
    [180, 1400n],
    [365, 1600n],
  ] as const)('of %i days is exact to the lamport when claimed in many steps', async (days, bps) => {
    const amount = 123_456_789_123n
    const staker = await createStaker(service, amount)
    const built = await staker.stack(Number(amount), days)
    await staker.relay(built)
    await staker.vault()
    const started = Date.parse(String((built.body.quote as Body).stakedAt))
    const due = (seconds: bigint) => (amount * bps * seconds) / (10_000n * 365n * 86_400n)
    let claimed = 0n
    for (const part of [1 / 7, 1 / 3, 1 / 2, 1, 3]) {
      await travel(service, started + Math.floor(days * DAY * part) - service.clock.now())
      await staker.signInAgain()
      const secondsSince = () => BigInt(Math.floor((service.clock.now() - started) / 1000))
      const from = secondsSince()
      const claim = await staker.claim(0)
      if (claim.status === 400) {
        expect(part).toBe(3)
        continue
      }
      const at = secondsSince()
      await staker.relay(claim)
      const [position] = positionsOf(await staker.vault())
      const seconds = BigInt(days) * 86_400n
      const most = due(at > seconds ? seconds : at)
      // The clock runs on while the request is under way.
      expect(BigInt(Number(position?.claimed))).toBeLessThanOrEqual(most)
      expect(BigInt(Number(position?.claimed))).toBeGreaterThanOrEqual(due(from - 1n))
      claimed = BigInt(Number(position?.claimed))
    }
    expect(claimed).toBe(due(BigInt(days) * 86_400n))
    expect(await staker.cred()).toBe(claimed)
  })
})

describe('input out of bounds is refused', () => {
  it('amounts, terms and positions', async () => {
    const staker = await createStaker(service)
    const refused = async (body: unknown) => (await staker.call('POST', '/vault/stack', { body })).body
    for (const amount of [0, -1, 1.5, '1', null, 2 ** 53, 1e300]) {
      expect(await refused({ amount, lockDays: 30 })).toMatchObject({
        status: 400,
        errors: [{ path: 'amount' }],
      })
    }
    for (const lockDays of [0, 1, 29, '30', 366, null]) {
      expect(await refused({ amount: 1, lockDays })).toMatchObject({
        status: 400,
        errors: [{ path: 'lockDays' }],
      })
    }
    expect(await refused({ amount: 1, lockDays: 30, extra: 1 })).toMatchObject({
      errors: [{ path: 'extra' }],
    })
    expect((await staker.unstack(0)).body).toMatchObject({ status: 400, code: 'position_not_found' })
    expect((await staker.claim(7)).body).toMatchObject({ status: 400, code: 'position_not_found' })
    expect((await staker.claim()).body).toMatchObject({ status: 400, code: 'nothing_to_claim' })
    expect((await staker.claim(-1)).body).toMatchObject({ status: 400, errors: [{ path: 'positionId' }] })
    for (const query of ['', '?owner=', '?owner=abc']) {
      expect((await service.call('GET', `/vault${query}`)).body).toMatchObject({
        errors: [{ path: 'owner' }],
      })
    }
    for (const query of [
      'amount=0&lockDays=30',
      'amount=1&lockDays=31',
      'lockDays=30',
      'amount=x&lockDays=30',
    ]) {
      expect((await service.call('GET', `/vault/quote?${query}`)).status).toBe(400)
    }
  })

  it('a lamport earns nothing and can still be staked', async () => {
    const staker = await createStaker(service, 1)
    const answer = await staker.stack(1, 7)
    expect(answer.body.quote).toMatchObject({ yield: 0, yieldFormatted: '0' })
    expect((await staker.relay(answer)).status).toBe(200)
  })

  it('quotes and terms show everything that an owner relies on', async () => {
    const { body } = await service.call('GET', '/vault/quote?amount=9007199254740991&lockDays=365')
    expect(body).toMatchObject({ apyBps: 1600, yieldFormatted: '1441151.880758558' })
    expect((await service.call('GET', '/vault/terms')).body).toMatchObject({
      mint: service.solana.bindings.VAULT_MINT,
      decimals: 9,
      recovery: keypairOf(service.solana.keys.recovery).publicKey.toBase58(),
      terms: [
        { lockDays: 7, apyBps: 800 },
        { lockDays: 30, apyBps: 1000 },
        { lockDays: 90, apyBps: 1200 },
        { lockDays: 180, apyBps: 1400 },
        { lockDays: 365, apyBps: 1600 },
      ],
    })
  })
})
