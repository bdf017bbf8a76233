import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextScheduledRun } from '../../lib/clock/jobs.ts'
import { register } from '../support/agents.ts'
import { createEndpoint } from '../support/endpoints.ts'
import { eventsOf, logged } from '../support/events.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { eventually, openInbox, type Received, reachAlarmOf } from '../support/webhooks.ts'

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'] })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const HOUR = 3_600_000
const STEP = 18 * HOUR

/**
 * The endpoint's answer for a number of steps of 18 hours each: 23 days, with an outage of more than five
 * days.
 */
const MONTH: [steps: number, answer: number | 'unreachable'][] = [
  [3, 204],
  [1, 500],
  [4, 200],
  [1, 410],
  [2, 200],
  [2, 'unreachable'],
  [1, 204],
  [9, 503],
  [3, 200],
  [1, 429],
  [1, 302],
  [4, 204],
]

it('after a month of ups and downs every event was delivered, once or more', async () => {
  let answer: number | 'unreachable' = 204
  const taken = new Set<string>()
  const respond = ({ headers }: Received) => {
    if (answer === 'unreachable') throw new Error('connection refused')
    if (answer >= 200 && answer < 300) taken.add(String(headers['webhook-id']))
    return new Response(null, { status: answer })
  }
  const owner = await createEndpoint(service, inbox, { respond })
  const startedAt = new Date(service.clock.now()).toISOString()
  const { call } = await service.signIn(owner.wallet)
  const agent = await register(call)
  await owner.untilDelivered(1)
  const lastAttemptAt = async () => {
    const { body } = await owner.call('GET', `${owner.path}/attempts?limit=1`)
    return Date.parse(String((body.attempts as Body[])[0]?.attemptedAt))
  }
  const isAttempted = async (since: number) => {
    await service.reachAlarm()
    return (await lastAttemptAt()) >= since
  }
  const travel = async (ms: number) => {
    const at = service.clock.now() + ms
    await service.clock.travelTo(at)
    await service.reachAlarm()
    await inbox.drained()
    // An endpoint that fails is attempted some seconds later.
    await eventually('it is attempted', async () => {
      if (await isAttempted(at)) return true
      const [{ body }, [waiting]] = await Promise.all([
        owner.call('GET', owner.path),
        owner.deliveries('&status=pending'),
      ])
      return !body.enabled || !waiting
    })
  }
  const reasons = new Set<unknown>()
  let step = 0
  for (const [steps, next] of MONTH) {
    answer = next
    for (let n = 0; n < steps; n++) {
      step += 1
      const status = step % 2 === 0 ? 'active' : 'inactive'
      expect((await owner.call('PATCH', `/agents/${agent.id}`, { status })).status).toBe(200)
      await travel(STEP)
      const { body } = await owner.call('GET', owner.path)
      reasons.add(body.disabledReason)
      // Its owner looks after it now and then, too early sometimes.
      if (body.enabled === false && step % 4 === 0) await owner.call('PATCH', owner.path, { enabled: true })
    }
  }
  // And then one event is given up: all its attempts fail, in less time than disables the endpoint.
  await eventually('nothing waits', async () => (await owner.deliveries('&status=pending')).length === 0)
  answer = 500
  step += 1
  const status = step % 2 === 0 ? 'active' : 'inactive'
  // From before what makes an attempt: it may have been made when that has been answered.
  let since = service.clock.now()
  await owner.call('PATCH', `/agents/${agent.id}`, { status })
  const failed = () => owner.deliveries('&status=failed')
  for (;;) {
    await eventually('it is attempted', () => isAttempted(since))
    if ((await failed()).length > 0) break
    const [waiting] = await owner.deliveries('&status=pending')
    const due = Date.parse(String(waiting?.nextAttemptAt))
    since = service.clock.now()
    await reachAlarmOf(service, { at: due, by: nextScheduledRun(due) })
  }
  const [givenUp] = await failed()
  expect(givenUp).toMatchObject({ attempts: 10, lastResponseCode: 500 })
  expect((await owner.call('GET', owner.path)).body.enabled).toBe(true)
  // It was all there: disabled by a 410, and by five days of nothing but failures.
  expect(reasons).toEqual(new Set([undefined, 'gone', 'failing']))
  await logged(owner.call, step, /^agent\.status_changed$/)
  const events = await eventsOf(owner.call)
  const missing = () => events.filter(({ id }) => !taken.has(id))
  expect(missing().length).toBeGreaterThan(0)

  answer = 200
  await owner.call('PATCH', owner.path, { enabled: true })
  const recovered = await owner.call('POST', `${owner.path}/recover`, { since: startedAt })
  expect([recovered.status, recovered.body]).toEqual([202, { recovered: 1, hasMore: false }])
  await eventually(
    'every event has arrived',
    async () => {
      await travel(HOUR)
      return missing().length === 0
    },
    120_000,
  )
})
