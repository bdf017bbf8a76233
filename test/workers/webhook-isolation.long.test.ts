import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusedPaths, registration } from '../support/agents.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { eventually, openInbox, whileTimePasses } from '../support/webhooks.ts'

const GROUPS = ['auth', 'agents', 'events', 'jobs']
/** A failing endpoint is attempted again in two to four seconds, instead of in five to eleven. */
const SOON = { FIRST_RETRY_MS: 2_000, MAX_PROBE_DELAY_S: 1 }
/** Instead of 15 seconds, in which a busy machine may not come to what waits for nobody. */
const WEBHOOK_TIMEOUT_MS = 45_000

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: GROUPS, constants: { jobs: { ...SOON, WEBHOOK_TIMEOUT_MS } } })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const never = () => new Promise<Response>(() => {})

/** The longest that one of these deliveries has waited for its attempt, by the service's own records. */
const longestWaitMs = (deliveries: Body[], since?: number): number =>
  Math.max(
    ...deliveries.map(
      ({ createdAt, lastAttemptAt }) =>
        Date.parse(String(lastAttemptAt)) - (since ?? Date.parse(String(createdAt))),
    ),
  )

/** Deliveries queued after a hanging endpoint wait at least until its request times out. */
const BLOCKED_MS = WEBHOOK_TIMEOUT_MS - 1_000

it.concurrent('any number of endpoints that never answer delay no other', async () => {
  const dead = await Promise.all(Array.from({ length: 12 }, () => inbox.createAgent(never)))
  await Promise.all(dead.map(({ url }) => inbox.until(url, 1)))
  await Promise.all(dead.map((owner) => owner.hire()))
  const owner = await inbox.createAgent()
  for (let i = 0; i < 3; i++) await owner.hire()
  const delivered = await owner.untilStates('delivered', 'delivered', 'delivered', 'delivered')
  expect(longestWaitMs(delivered)).toBeLessThan(BLOCKED_MS)
  for (const { url } of dead) expect(inbox.of(url).length).toBeLessThanOrEqual(2)
})

it.concurrent('an endpoint that does not answer in time has failed by a timeout', async ({
  onTestFinished,
}) => {
  // A service of its own: other tests recognize deliveries that wait for such an endpoint by its time limit.
  const impatient = await startService({ groups: GROUPS, constants: { jobs: { WEBHOOK_TIMEOUT_MS: 1_000 } } })
  onTestFinished(() => impatient.stop())
  const owner = await openInbox(impatient).createAgent(never)
  const delivery = await owner.untilAttempted(1)
  expect(delivery).toMatchObject({ status: 'pending', lastFailure: 'timeout' })
  expect(delivery).not.toHaveProperty('lastResponseCode')
})

it.concurrent('an answer that never ends is neither awaited nor stored', async () => {
  let isOver = false
  const endless = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new TextEncoder().encode('the secret of the endpoint '.repeat(100)))
      if (isOver) controller.close()
    },
  })
  const owner = await inbox.createAgent(() => new Response(endless))
  await owner.untilStates('delivered')
  isOver = true
  const answer = await owner.call('GET', '/events/deliveries')
  expect(answer.text).not.toContain('secret')
})

it.concurrent('a burst is sent in full, although a run takes only a few', async () => {
  const owner = await inbox.createAgent()
  await Promise.all(Array.from({ length: 15 }, () => owner.hire()))
  await inbox.until(owner.url, 16)
  await owner.untilStates(...Array<string>(16).fill('delivered'))
  const ids = inbox.of(owner.url).map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(16)
})

it('an endpoint that fails gets no burst; when it answers again it has all', async () => {
  let isBack = false
  const owner = await inbox.createProven(() => new Response(null, { status: isBack ? 204 : 503 }))
  await owner.hire()
  await inbox.until(owner.url, 2)
  await owner.untilAttempted(1)
  await Promise.all(Array.from({ length: 8 }, () => owner.hire()))
  await whileTimePasses(service, 'another attempt', () => inbox.of(owner.url).length >= 3)
  expect(inbox.of(owner.url).length).toBeLessThanOrEqual(4)
  isBack = true
  await whileTimePasses(service, 'all is delivered', async () =>
    (await owner.deliveries()).every(({ status }) => status === 'delivered'),
  )
})

it('endpoints that stop answering after their first 2xx delay no other either', async () => {
  const dead = await Promise.all(Array.from({ length: 8 }, () => inbox.createProven(never)))
  const owner = await inbox.createAgent()
  await owner.untilStates('delivered')
  // In one batch as far as possible: the cron enqueues all of them at once.
  await service.database.engine.run([
    {
      query: `update deliveries set status = 'pending', next_attempt_at = '-infinity' where endpoint_id = any($1)`,
      params: [`{${[...dead, owner].map(({ agent }) => agent.id)}}`],
    },
  ])
  const since = service.clock.now()
  await service.runJobs('jobs')
  await inbox.until(owner.url, 2)
  const delivered = await owner.untilStates('delivered')
  expect(longestWaitMs(delivered, since)).toBeLessThan(BLOCKED_MS)
  for (const { url } of dead) await inbox.until(url, 2)
})

const OWN_HOSTS = [
  'https://api.agentcred.example/v1/agents',
  'https://API.agentcred.example',
  'https://api.agentcred.example.:443/x',
]

it.each(OWN_HOSTS)('our own host is nobody’s webhook: %s', async (webhookUrl) => {
  const { call } = await service.signIn()
  const refused = await call('POST', '/agents/register', { body: registration({ webhookUrl }) })
  expect([refused.status, refusedPaths(refused)]).toEqual([400, ['webhookUrl']])
  const owner = await inbox.createAgent()
  const changed = await owner.call('PATCH', `/agents/${owner.agent.id}`, { webhookUrl })
  expect([changed.status, refusedPaths(changed)]).toEqual([400, ['webhookUrl']])
})

it.each([
  ...OWN_HOSTS,
  'http://hooks.example.com/',
  'https://hooks.example.com:8443/',
  'https://user:pass@hooks.example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  'https://localhost./',
  'https://db.internal/',
  'https://printer.local./',
  'https://intranet/',
  'file:///etc/passwd',
  'https:hooks.example.com',
])('stored URLs are checked again at each attempt: %s', async (url) => {
  const owner = await inbox.createAgent()
  await owner.untilStates('delivered')
  await service.database.engine.run([
    { query: 'update agents set webhook_url = $1 where id = $2', params: [url, owner.agent.id] },
  ])
  await owner.hire()
  await service.runJobs('jobs')
  await eventually('the attempt is refused', async () => {
    const [delivery] = await owner.deliveries()
    return delivery?.lastFailure === 'url_refused' && delivery.status === 'pending'
  })
  expect(inbox.of(owner.url)).toHaveLength(1)
  expect(inbox.of(url)).toEqual([])
})
