import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventsOf, logged, untilLogged } from '../support/events.ts'
import { type Call, type Service, startService } from '../support/service.ts'
import { eventually, openInbox } from '../support/webhooks.ts'

const DAY_MS = 86_400_000

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'payments', 'events', 'jobs'] })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const pass = async (days: number) => {
  await service.clock.travelTo(service.clock.now() + days * DAY_MS)
  await service.runJobs('jobs')
  await service.runJob('daily')
}

const idsOf = (events: { id: string }[]) => events.map(({ id }) => id)

it('deletes events after a year, but none of money; a lost cursor gets a new start', async () => {
  const owner = await inbox.createAgent(undefined, { feeModel: 'flat', feeAmount: 100 })
  const { call } = owner
  const own: Call = (method, path, { body } = {}) => call.call(owner, method, path, body)
  const { hire } = await owner.hire({ expiresInDays: 1 })
  const charge = { hireId: hire.id, reference: 'job' }
  expect((await owner.call('POST', '/payments/charges', charge)).status).toBe(201)
  const [registered, hired, charged] = idsOf(await logged(own, 3))
  await pass(364)
  await owner.call('PATCH', `/agents/${owner.agent.id}`, { status: 'inactive' })
  await untilLogged(
    own,
    'agent.registered',
    'hire.created',
    'charge.recorded',
    'hire.expired',
    'agent.status_changed',
  )

  // A delivery in flight must not be a failing one: a failing endpoint receives nothing more for a while.
  await eventually('nothing waits', async () => (await owner.deliveries('?status=pending')).length === 0)
  // One that is sent again, and fails, is enqueued when its event is deleted.
  inbox.answer(owner.url, () => new Response(null, { status: 500 }))
  expect((await owner.call('POST', `/events/${registered}/replay`)).status).toBe(202)
  await eventually('the replay has failed once', async () => {
    const line = await owner.deliveries('?status=pending')
    return line.some(({ eventId, attempts }) => eventId === registered && attempts === 1)
  })
  await pass(2)
  const left = await untilLogged(own, 'charge.recorded', 'hire.expired', 'agent.status_changed')
  for (const lost of [registered, hired]) {
    const refused = await owner.call('GET', `/events?after=${lost}`)
    expect(refused.body).toMatchObject({ status: 409, code: 'cursor_lost', oldest: charged })
  }
  expect(await eventsOf(own, `?after=${charged}`)).toEqual(left.slice(1))

  expect((await owner.deliveries()).map(({ eventId }) => eventId)).not.toContain(registered)
  const attempts = await owner.call('GET', `/events/endpoints/${owner.agent.id}/attempts`)
  expect(attempts.status).toBe(200)
  const again = await owner.call('POST', `/events/${registered}/replay`)
  expect(again.body).toMatchObject({ code: 'event_not_found' })
  // The endpoint is sent what is left.
  inbox.answer(owner.url, () => new Response(null, { status: 204 }))
  await pass(1)
  await eventually('nothing waits', async () => (await owner.deliveries('?status=pending')).length === 0)
})
