import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rideAlarms, wakesIn } from '../support/alarms.ts'
import { rowsOf } from '../support/chain.ts'
import { exitEarly, positionOf } from '../support/forger.ts'
import { createAgent, createPayer, hireAgent } from '../support/payer.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, travelToNoon } from '../support/staker.ts'

/* How often settlement wakes a sleeping database, and that the circuit breaker needs no cron. */

const MINUTE = 60_000

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

const ride = (ms: number) => rideAlarms(service, service.clock.now() + ms)

/** Past noon with nothing left to do: scheduled runs of other kinds are at 12:07 and 18:07. */
async function startOfTest() {
  await ride(DAY)
  await travelToNoon(service)
  await ride(10 * MINUTE)
}

/** Counts wake-ups by the Clock between the wallets' last actions and the evening's scheduled run. */
async function wakes(): Promise<number> {
  const since = service.clock.now()
  return wakesIn([since, ...(await ride(5.5 * 60 * MINUTE))])
}

describe('how often the database is woken', () => {
  it('by a stake never sent: twice more in six hours, also by twenty of four wallets', async () => {
    await startOfTest()
    const one = await createStaker(service)
    expect((await one.stack(1, 7)).status).toBe(200)
    expect(await wakes()).toBe(2)
    await startOfTest()
    for (let n = 0; n < 4; n += 1) {
      const staker = await createStaker(service)
      for (let k = 0; k < 5; k += 1) expect((await staker.stack(1, 7)).status).toBe(200)
    }
    const calls = await service.countRpc(async () => expect(await wakes()).toBe(2))
    expect(calls).toBeLessThan(20 * 8)
    const ended = "select distinct status from vault_intents where kind = 'stack'"
    expect(await rowsOf(service, ended)).toEqual([['expired']])
    // And not for ever.
    await ride(2 * DAY)
    expect(await rowsOf(service, 'select id from vault_intents where due_at is not null')).toEqual([])
  })

  it('by twenty confirmed stakes: once, for all positions', async () => {
    await startOfTest()
    for (let n = 0; n < 4; n += 1) {
      const staker = await createStaker(service)
      for (let k = 0; k < 5; k += 1) await staker.relay(await staker.stack(1, 7))
    }
    const calls = await service.countRpc(async () => expect(await wakes()).toBeLessThanOrEqual(1))
    expect(calls).toBeLessThan(20 * 2)
    expect(await rowsOf(service, "select count(*) from positions where status = 'open'")).toEqual([['20']])
  })

  it('by charges on unfunded hires: three times, then with the daily job', async () => {
    await startOfTest()
    const { owner, agentId } = await createAgent(service)
    for (let n = 0; n < 10; n += 1) {
      const hireId = await hireAgent(await createPayer(service, 0), agentId, {})
      await owner.charge(hireId, 5)
    }
    expect(await wakes()).toBe(3)
    await ride(DAY)
    const next = 'select distinct seek_at from hires where seek_at is not null'
    expect(await rowsOf(service, next)).toEqual([[expect.stringContaining(' 00:07:00')]])
  })

  it('by an hour in which nothing is due: never, and nothing is asked', async () => {
    await startOfTest()
    await ride(30 * MINUTE)
    const statements = await service.countSql(() => ride(60 * MINUTE))
    expect(statements).toBe(0)
  })
})

describe('a thief who drains positions by a leaked key', () => {
  it('is found by the next stake, and stakes stop without anybody’s asking', async () => {
    await startOfTest()
    const thief = await createStaker(service)
    const stack = await thief.stack(100 * ONE, 365)
    await thief.relay(stack)
    await ride(10 * MINUTE)
    await exitEarly(service, thief, positionOf(stack).address)
    // Nothing is due, so no job run checks.
    await ride(30 * MINUTE)
    const paused = 'select generation from vault_generations where paused_at is not null'
    expect(await rowsOf(service, paused)).toEqual([])
    const next = await thief.stack(100 * ONE, 365)
    expect(next.status).toBe(200)
    await thief.relay(next)
    await ride(7 * MINUTE)
    expect(await rowsOf(service, paused)).toEqual([['1']])
  })

  it('is found by the daily job when there is no other stake', async () => {
    await rowsOf(service, 'delete from vault_generations')
    await startOfTest()
    const thief = await createStaker(service)
    const stack = await thief.stack(100 * ONE, 365)
    await thief.relay(stack)
    await ride(10 * MINUTE)
    await exitEarly(service, thief, positionOf(stack).address)
    await ride(DAY / 2 + 8 * MINUTE)
    const paused = 'select generation from vault_generations where paused_at is not null'
    expect(await rowsOf(service, paused)).toEqual([['1']])
  })
})
