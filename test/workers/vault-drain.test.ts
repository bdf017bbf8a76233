import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../lib/time.ts'
import { credIn, LIFETIME_MS, rowsOf, treasuryOf } from '../support/chain.ts'
import { exitEarly, positionOf } from '../support/forger.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, ONE, travel } from '../support/staker.ts'

/** Whole CRED that a year's stake of this many pays. */
const yieldOf = (whole: number) => (BigInt(whole) * BigInt(ONE) * 16n) / 100n

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs', 'marketplace'] })
})
afterAll(() => service.stop())

const rich = (whole: number) => createStaker(service, BigInt(whole) * BigInt(ONE))
const treasury = async () => credIn(service, (await treasuryOf(service)).treasury)

describe('a wallet with the recovery key', () => {
  it('takes at most its limit of yield a day, with or without reads of its positions', async () => {
    // At the beginning of a day: the limit counts by days in UTC, and the runs take some twelve minutes.
    await travel(service, DAY_MS - (service.clock.now() % DAY_MS))
    const before = await treasury()
    const thief = await rich(2_000_000)
    const refused = await thief.stack(1_000_000 * ONE, 365)
    expect(refused.body).toMatchObject({ status: 409, code: 'yield_limit' })
    expect(refused.body.detail).toContain('50000 CRED')
    for (let round = 0; round < 6; round += 1) {
      const built = await thief.stack(300_000 * ONE, 365)
      if (built.status === 200) {
        expect((await thief.relay(built)).status).toBe(200)
        await exitEarly(service, thief, positionOf(built).address)
      } else expect(built.body).toMatchObject({ code: 'yield_limit' })
      // Past its last block, so that it is no longer reserved; nobody has seen the position.
      await travel(service, LIFETIME_MS + 20_000)
      await thief.vault()
      // An operator who resumes after every alarm, to see the limit by itself.
      await rowsOf(service, 'delete from vault_generations')
    }
    expect(before - (await treasury())).toBeLessThanOrEqual(100_000n * BigInt(ONE))
    expect(before - (await treasury())).toBe(2n * yieldOf(300_000))
  })
})
