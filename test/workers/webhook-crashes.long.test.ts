import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { nextDaily } from '../../lib/clock/jobs.ts'
import { logged } from '../support/events.ts'
import { type Fault, type Service, startService } from '../support/service.ts'
import { type AgentOwner, eventually, openInbox, reachAlarmOf } from '../support/webhooks.ts'

/*
 * From the change to its delivery, the process, the queue or the network is cut at every step. Each time the
 * event must arrive, at least once and with one id. A deployment (redeploy) kills workerd, and the local
 * queue is lost with it.
 */

let service: Service
let inbox: ReturnType<typeof openInbox>
let owner: AgentOwner
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'] })
  inbox = openInbox(service)
})
afterAll(() => service.stop())
/** Nothing of the test before is left: each ends when all that it made has been delivered. */
beforeEach(async () => {
  owner = await inbox.createAgent()
  await owner.untilStates('delivered')
})

const LEASE_MS = 60_000
/** What the Clock knows to be due by now. */
const alarm = () => service.reachAlarm()
const afterLease = async () => {
  await service.clock.travelTo(service.clock.now() + LEASE_MS + 1_000)
  await alarm()
}
/** A Clock whose storage is new takes every kind for due. */
const newClock = async () => {
  await service.clock.travelTo(await alarm())
  await alarm()
}
/** No message was sent: the next run of any kind finds the due deliveries, also the daily one. */
const runDailyJob = async () => {
  const at = nextDaily(service.clock.now())
  await reachAlarmOf(service, { at, by: at + 5 * LEASE_MS })
}

const WRITE = /hire_agent/
const LEASE = /lease_deliveries/
const RECORD = /record_attempts/

/** Passes all statements through except matching ones, which `then` handles. */
const cut =
  (statement: RegExp, then: (request: Request) => Promise<Response>): Fault =>
  async (request) => {
    const text = await request.clone().text()
    return statement.test(text) ? then(request) : service.database.handler(request)
  }
/** Postgres does it, and nobody hears of it. */
const unheard = async (request: Request) => {
  await service.database.handler(request)
  return new Response(null, { status: 502 })
}
const refused = async () => new Response(null, { status: 502 })

/** The hire was delivered at least `least` times, always as the same event, and counts as delivered. */
async function expectDelivered(least: number) {
  await inbox.until(owner.url, 1 + least)
  await owner.untilStates('delivered', 'delivered')
  const attempts = inbox.of(owner.url).filter(({ body }) => body.type === 'hire.created')
  expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(attempts.map(({ bytes }) => bytes.toString())).size).toBe(1)
  await afterLease()
  await inbox.drained()
  expect(inbox.types(owner.url).filter((type) => type === 'hire.created')).toHaveLength(attempts.length)
}

it('before the change: there is no event without one', async () => {
  await service.withFault(cut(WRITE, refused), async () => expect((await owner.hire()).status).toBe(503))
  await afterLease()
  await inbox.drained()
  expect(inbox.types(owner.url)).toEqual(['agent.registered'])
  await logged(service.stayIn(owner.wallet), 1)
})

it('after the change, its answer lost: no message is sent', async () => {
  await service.withFault(cut(WRITE, unheard), async () => expect((await owner.hire()).status).toBe(503))
  expect((await owner.deliveries()).map(({ status }) => status)).toEqual(['pending', 'delivered'])
  await runDailyJob()
  await expectDelivered(1)
})

it('after the message: the queue and the process are lost', async () => {
  await service.withFault(cut(LEASE, refused), async () => {
    await owner.hire()
    await service.redeploy({})
  })
  expect(inbox.types(owner.url)).toEqual(['agent.registered'])
  await newClock()
  await expectDelivered(1)
})

it('at the lease, the database down: the message stays queued, or the Clock finds it', async () => {
  let refusals = 0
  const refuse = cut(LEASE, () => {
    refusals += 1
    return refused()
  })
  await service.withFault(refuse, async () => {
    await owner.hire()
    await eventually('the lease is refused', () => refusals > 0)
    await alarm()
  })
  await afterLease()
  await expectDelivered(1)
})

it('after the lease, its answer lost: it is due again when the lease ends', async () => {
  let leases = 0
  const lose = cut(LEASE, async (request) => {
    const answer = await service.database.handler(request)
    // A run that finds nothing due leases nothing.
    const { rowCount } = (await answer.clone().json()) as { rowCount: number }
    if (rowCount === 0) return answer
    leases += 1
    return new Response(null, { status: 502 })
  })
  await service.withFault(lose, async () => {
    await owner.hire()
    await eventually('the lease is lost', () => leases > 0)
  })
  await alarm()
  await inbox.drained({ cutOff: 1 })
  expect(inbox.types(owner.url)).toEqual(['agent.registered'])
  await afterLease()
  await expectDelivered(1)
})

it('while the endpoint is at work: the process is killed', async () => {
  inbox.answer(owner.url, () => new Promise<Response>(() => {}))
  await owner.hire()
  await inbox.until(owner.url, 2)
  await service.redeploy({})
  inbox.answer(owner.url, () => new Response(null, { status: 200 }))
  await alarm()
  await inbox.drained()
  expect(inbox.of(owner.url)).toHaveLength(2)
  await afterLease()
  await expectDelivered(2)
})

it('after the endpoint has taken it: the result can not be recorded', async () => {
  let losses = 0
  const lose = cut(RECORD, () => {
    losses += 1
    return refused()
  })
  await service.withFault(lose, async () => {
    await owner.hire()
    await inbox.until(owner.url, 2)
    await eventually('the result is lost', () => losses > 0)
  })
  await afterLease()
  await expectDelivered(2)
})

it('after it is recorded as failed: the message for the next attempt is lost', async () => {
  let isDown = true
  inbox.answer(owner.url, () => new Response(null, { status: isDown ? 500 : 200 }))
  await owner.hire()
  await eventually(
    'the failure is recorded',
    async () => (await owner.deliveries())[0]?.lastResponseCode === 500,
  )
  await service.redeploy({})
  isDown = false
  await service.clock.travelTo(service.clock.now() + 10_000)
  await newClock()
  await expectDelivered(2)
})

it('the Clock takes a run as lost when its lease ends, unless the run has ended', async () => {
  const late = Promise.withResolvers<Response>()
  inbox.answer(owner.url, () => late.promise)
  await owner.hire()
  await inbox.until(owner.url, 2)
  inbox.answer(owner.url, () => new Response(null, { status: 200 }))
  await afterLease()
  await expectDelivered(2)
  // It ends after all, before what is asked of the database is counted.
  late.resolve(new Response(null, { status: 200 }))
  await eventually('each attempt is recorded', async () => {
    const { body } = await owner.call('GET', `/events/endpoints/${owner.agent.id}/attempts`)
    return (body.attempts as unknown[]).length === 3
  })
  await owner.hire()
  await owner.untilStates('delivered', 'delivered', 'delivered')
  await inbox.drained()
  expect(await service.countSql(afterLease)).toBe(0)
})
