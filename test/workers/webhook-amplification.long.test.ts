import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextDaily, nextScheduledRun } from '../../lib/clock/jobs.ts'
import { register } from '../support/agents.ts'
import { logged } from '../support/events.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually, openInbox, reachAlarmOf } from '../support/webhooks.ts'

/*
 * Webhooks aimed at strangers: an agent's owner names the endpoint, and every event is a POST to it. The
 * number of POSTs to such an endpoint must not grow with the actions of its owner, or of any number of
 * owners.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'] })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const cron = () => service.reachAlarm()
const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const fails = () => new Response(null, { status: 500 })

describe('an endpoint that has never answered 2xx', () => {
  it('gets an attempt in five minutes, then fewer; the rest waits for its first 2xx', async () => {
    // No scheduled run and no end of the day comes in the next minutes.
    await service.clock.travelTo(nextDaily(service.clock.now()) + 13 * HOUR)
    await cron()
    const owner = await inbox.createAgent(fails)
    const { call } = await service.signIn(owner.wallet)
    for (let n = 0; n < 30; n++) {
      const status = n % 2 === 0 ? 'inactive' : 'active'
      expect((await call('PATCH', `/agents/${owner.agent.id}`, { body: { status } })).status).toBe(200)
    }
    // A failed attempt used to be repeated after five seconds.
    await travel(8_000)
    await cron()
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(1)
    const waiting = await owner.deliveries('?limit=100')
    expect(waiting).toHaveLength(31)
    for (const { eventId } of waiting.slice(0, 10)) {
      expect((await call('POST', `/events/${eventId}/replay`)).status).toBe(202)
    }
    await cron()
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(1)
    // Setting the same URL again, or another agent's URL, changes nothing.
    const body = { webhookUrl: owner.url }
    expect((await call('PATCH', `/agents/${owner.agent.id}`, { body })).status).toBe(200)
    await register(call, body)
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(1)
    for (const [attempts, pause] of [
      [2, 5 * MINUTE],
      [3, 6 * MINUTE],
    ] as const) {
      await travel(pause + 5_000)
      await cron()
      await inbox.until(owner.url, attempts)
      await cron()
      await inbox.drained()
      expect(inbox.of(owner.url)).toHaveLength(attempts)
    }
    // This was the third wake-up of the day: from now on attempts run when something else wakes the database.
    inbox.answer(owner.url, () => new Response(null, { status: 200 }))
    await travel(5 * MINUTE + 5_000)
    await cron()
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(3)
    await reachAlarmOf(service, { at: service.clock.now(), by: nextScheduledRun(service.clock.now()) })
    await eventually('all that has waited is sent', async () => {
      const states = (await owner.deliveries('?limit=100')).map(({ status }) => status)
      return states.filter((status) => status === 'delivered').length >= 29
    })
  })

  it('is disabled after five days without one, which its owner’s log says', async () => {
    const owner = await inbox.createAgent(fails)
    await owner.untilAttempted(1)
    for (let attempts = 2; attempts < 7; attempts++) {
      await travel(20 * HOUR)
      await owner.hire()
      await cron()
      await inbox.until(owner.url, attempts)
      await eventually('what became of each attempt is recorded', async () => {
        const tried = (await owner.deliveries()).filter((delivery) => Number(delivery.attempts) > 0)
        const sum = tried.reduce((total, delivery) => total + Number(delivery.attempts), 0)
        return sum === attempts && tried.every(({ lastResponseCode }) => lastResponseCode === 500)
      })
      await inbox.drained()
    }
    await travel(21 * HOUR)
    await cron()
    await inbox.until(owner.url, 7)
    await eventually('it is disabled', async () =>
      (await owner.deliveries('?limit=100')).every(({ status }) => status === 'held'),
    )
    const [disabled] = await logged(service.stayIn(owner.wallet), 1, /^endpoint\.disabled$/)
    expect(disabled?.data).toEqual({
      endpointId: owner.agent.id,
      agentId: owner.agent.id,
      agentName: owner.agent.name,
      host: new URL(owner.url).host,
      reason: 'failing',
    })
    const body = { webhookUrl: owner.url }
    inbox.answer(owner.url, () => new Response(null, { status: 200 }))
    const enabled = await owner.call('PATCH', `/agents/${owner.agent.id}`, body)
    expect(enabled.body).not.toHaveProperty('webhookDisabledAt')
    await eventually('all is sent', async () => {
      await travel(HOUR)
      await cron()
      return (await owner.deliveries('?limit=100')).every(({ status }) => status === 'delivered')
    })
  })
})

it('limits a host’s requests by its bucket, for many owners and spellings', async () => {
  const spellings = [
    'victim.example.com',
    'VICTIM.example.com',
    'vict%69m.example.com',
    'victim.example.com.',
  ]
  const seen = () => inbox.all().filter(({ url }) => /^https:\/\/victim\.example\.com\.?\//.test(url)).length
  inbox.answerAll(/^https:\/\/victim\.example\.com/, fails)
  const startedAt = service.clock.now()
  const offer = async (n: number) => {
    const { call } = await service.signIn()
    await register(call, { webhookUrl: `https://${spellings[n % 4]}/?n=${n}` })
  }
  for (let n = 0; n < 60; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => offer(n + i)))
  await inbox.drained()
  await cron()
  await inbox.drained()
  const seconds = (service.clock.now() - startedAt) / 1_000
  expect(seen()).toBeGreaterThan(0)
  // An attempt may be a second early, since clocks differ (CLOCK_TOLERANCE_MS).
  expect(seen()).toBeLessThanOrEqual(30 + (seconds + 1) / 2)
  // Another host is not concerned.
  const other = await inbox.createAgent()
  await inbox.until(other.url, 1)
})
