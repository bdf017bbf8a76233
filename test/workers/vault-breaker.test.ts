import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { exitEarly, positionOf } from '../support/forger.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'

let service: Service
let honest: Staker
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'settlement', 'marketplace'] })
  honest = await createStaker(service)
})
afterAll(() => service.stop())
beforeEach(async () => {
  await rowsOf(service, 'delete from vault_generations')
  await honest.signInAgain()
})

const runJobs = async () => {
  await travel(service, 60_000)
  await service.runCron('settlement', '*/10 * * * *')
}

/** A staker whose position is open and seen. */
async function createHolder() {
  const staker = await createStaker(service)
  const stack = await staker.stack(100 * ONE, 7)
  expect((await staker.relay(stack)).status).toBe(200)
  await staker.vault()
  return { staker, position: positionOf(stack).address }
}

const expectPaused = async () => {
  const answer = await honest.stack(ONE, 7)
  expect(answer.body).toMatchObject({ status: 503, code: 'stacking_paused' })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('the circuit breaker', () => {
  it('stops new stakes when the recovery key has paid one out early; claims and withdrawals go on', async () => {
    const [thief, other] = [await createHolder(), await createHolder()]
    expect((await honest.stack(ONE, 7)).status).toBe(200)
    await exitEarly(service, thief.staker, thief.position)
    await runJobs()
    expect(service.logs.lines).toContainEqual(
      expect.objectContaining({ level: 'error', earlyPayout: thief.position, generation: 1 }),
    )
    await expectPaused()
    await travel(service, 8 * DAY)
    await other.staker.signInAgain()
    expect((await other.staker.claim(0)).status).toBe(200)
    expect((await other.staker.relay(await other.staker.unstack(0))).status).toBe(200)
    // Resumed by an operator it stays so: the same payout does not stop it again.
    await rowsOf(service, 'update vault_generations set paused_at = null')
    await runJobs()
    await honest.signInAgain()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })

  it('is tripped by nothing that needs no recovery key', async () => {
    const { staker } = await createHolder()
    await travel(service, 3 * DAY)
    await staker.signInAgain()
    await staker.relay(await staker.claim(0))
    await runJobs()
    await travel(service, 8 * DAY)
    await staker.signInAgain()
    await staker.relay(await staker.unstack(0))
    await runJobs()
    await honest.signInAgain()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })

  it('lets pass what an operator has announced', async () => {
    const { staker, position } = await createHolder()
    await rowsOf(service, `update positions set early = 'announced' where address = $1`, position)
    await exitEarly(service, staker, position)
    await runJobs()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })
})

describe('VAULT_STACKING=off', { timeout: 120_000 }, () => {
  it('stops new stakes; what was cosigned before is still relayed, and payouts go on', async () => {
    const { staker } = await createHolder()
    const before = await staker.stack(ONE, 7)
    await service.redeploy({ VAULT_STACKING: 'off' })
    try {
      await expectPaused()
      expect((await staker.relay(before)).status).toBe(200)
      await travel(service, 9 * DAY)
      await staker.signInAgain()
      expect((await staker.claim(0)).status).toBe(200)
      expect((await staker.unstack(0)).status).toBe(200)
    } finally {
      await service.redeploy({})
    }
  })
})

it('settings without names are an operator’s mistake that no request hides', {
  timeout: 120_000,
}, async () => {
  await service.redeploy({ VAULT_RECOVERY_ADDRESSES: service.solana.keys.recovery })
  try {
    expect((await service.call('GET', `/vault?owner=${honest.owner}`)).status).toBe(500)
  } finally {
    await service.redeploy({})
  }
})

it('a stack of a generation that settlement does not know is left open, not expired', async () => {
  const staker = await createStaker(service)
  const stack = await staker.stack(ONE, 7)
  await staker.relay(stack)
  // As an old settlement Worker would see a stack of a generation that came after it was deployed.
  await rowsOf(service, 'update vault_intents set generation = 2 where id = $1', String(stack.body.id))
  await travel(service, 120_000)
  await service.runCron('settlement', '*/10 * * * *')
  expect(
    await rowsOf(service, 'select status from vault_intents where id = $1', String(stack.body.id)),
  ).toEqual([['open']])
})
