import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedPaths, register } from '../support/agents.ts'
import { createEndpoint } from '../support/endpoints.ts'
import { logged } from '../support/events.ts'
import { type Service, startService } from '../support/service.ts'
import {
  eventually,
  openInbox,
  plain,
  proofOf,
  validSignatures,
  whileTimePasses,
} from '../support/webhooks.ts'

/*
 * Consent: an endpoint is sent everything only when its receiver has shown that it wants this wallet's
 * events. A host that answers 2xx to everything has shown nothing.
 */

const MINUTE = 60_000

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'events', 'jobs'],
    bindings: { WEBHOOK_TRUSTED_HOSTS: 'trusted.example.com' },
  })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const cron = () => service.reachAlarm()
const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const endpointOf = (changes: Parameters<typeof createEndpoint>[2] = {}) =>
  createEndpoint(service, inbox, changes)
type Owner = Awaited<ReturnType<typeof endpointOf>>
const proofShown = async ({ call, path }: Pick<Owner, 'call' | 'path'>) =>
  (await call('GET', path)).body.proof
const isFailing = async ({ call, path }: Owner) => 'failingSince' in (await call('GET', path)).body
const test = (owner: Owner) => owner.call('POST', `${owner.path}/test`)
/** Events for an endpoint: so many agents of its wallet. */
async function happen(owner: Owner, count: number) {
  const { call } = await service.signIn(owner.wallet)
  for (let n = 0; n < count; n++) await register(call)
}

// First, since the libraries ask the machine's clock.
it('the first POST is a signed request for a proof, which stock libraries verify', async () => {
  const owner = await endpointOf()
  expect(await proofShown(owner)).toBe('new')
  await test(owner)
  await inbox.until(owner.url, 1)
  const [request] = inbox.requests(owner.url)
  if (!request) throw new Error('no request')
  const { headers, bytes, body } = request
  expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data'])
  expect(body.data).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    wallet: owner.wallet.publicKey,
  })
  for (const library of [new Webhook(owner.secret), new SvixWebhook(owner.secret)])
    library.verify(bytes.toString(), headers, { jsonParse: false })
  expect(validSignatures(request, service.webhookKeys.WEBHOOK_PUBLIC_KEYS)).toBe(1)
  await owner.untilDelivered(1)
  expect(await proofShown(owner)).toBe('proven')
  expect(inbox.requests(owner.url)).toHaveLength(1)
})

it('a challenge is in no answer, no log and no list', async () => {
  const owner = await endpointOf({ respond: plain })
  await test(owner)
  await owner.untilDelivered(1)
  const answers = await Promise.all(
    ['/events', '/events/endpoints', owner.path, `${owner.path}/attempts`, '/events/deliveries'].map((path) =>
      owner.call('GET', path),
    ),
  )
  for (const text of [...answers.map(({ text }) => text), ...service.logs.texts]) {
    expect(text).not.toContain(inbox.challenge(owner.url))
    expect(text).not.toContain('endpoint.verification')
  }
})

it.each<[string, (challenge: string) => string | null, string, string?]>([
  ['the proof as JSON', (challenge) => JSON.stringify(proofOf(challenge)), 'proven'],
  ['the proof and a line break', (challenge) => `${proofOf(challenge)}\r\n`, 'proven'],
  ['nothing', () => null, 'unconfirmed', 'empty_body'],
  ['the challenge itself', (challenge) => `"${challenge}"`, 'unconfirmed', 'challenge_returned'],
  ['a page', () => '<html>'.repeat(10_000), 'unconfirmed', 'other_body'],
])('answers with %s: the endpoint says what became of it', async (_what, answer, proof, reason) => {
  const owner = await endpointOf()
  inbox.answerChallenge(owner.url, answer)
  await test(owner)
  await owner.untilDelivered(1)
  const { body } = await owner.call('GET', owner.path)
  expect([body.proof, body.unconfirmedReason]).toEqual([proof, reason])
  if (reason === undefined) return
  await owner.call('POST', `${owner.path}/confirm`, { challenge: inbox.challenge(owner.url) })
  expect((await owner.call('GET', owner.path)).body).not.toHaveProperty('unconfirmedReason')
})

it('a receiver that starts late gets its events as soon as its owner sends a test', async () => {
  const owner = await endpointOf({ respond: () => new Response(null, { status: 521 }) })
  await test(owner)
  await inbox.until(owner.url, 1)
  await eventually('the failure is known', () => isFailing(owner))
  const { pausedUntil } = (await owner.call('GET', owner.path)).body
  expect(Date.parse(String(pausedUntil))).toBeGreaterThan(service.clock.now() + 4 * MINUTE)
  inbox.answer(
    owner.url,
    ({ body }) => new Response(proofOf((body.data as { challenge?: string }).challenge)),
  )
  await travel(11_000)
  expect((await test(owner)).status).toBe(202)
  await owner.untilDelivered(2)
  expect(await proofShown(owner)).toBe('proven')
})

it('a pause that the receiver asked for lasts, also after a test', async () => {
  const retryAfter = { 'retry-after': '3600' }
  const owner = await endpointOf({ respond: () => new Response(null, { status: 429, headers: retryAfter }) })
  await test(owner)
  await eventually('the failure is known', () => isFailing(owner))
  await travel(11_000)
  expect((await test(owner)).status).toBe(202)
  await inbox.drained()
  await service.runJob('deliveries')
  await inbox.drained()
  expect(inbox.requests(owner.url)).toHaveLength(1)
})

describe('a receiver that answers 2xx to everything', () => {
  it('gets 30 POSTs and then four an hour, for any changes and waiting deliveries', async () => {
    const owner = await inbox.createAgent(plain)
    const { call } = await service.signIn(owner.wallet)
    for (let n = 0; n < 60; n++) {
      const status = n % 2 === 0 ? 'inactive' : 'active'
      expect((await call('PATCH', `/agents/${owner.agent.id}`, { body: { status } })).status).toBe(200)
    }
    await inbox.until(owner.url, 30)
    await cron()
    await inbox.drained()
    expect([inbox.requests(owner.url).length, inbox.of(owner.url).length]).toEqual([1, 30])
    const { body: endpoint } = await call('GET', `/events/endpoints/${owner.agent.id}`)
    expect(endpoint).toMatchObject({ proof: 'unconfirmed' })
    expect(endpoint).not.toHaveProperty('provenAt')
    // Such attempts are worth no wake, and wait for one.
    for (const sent of [31, 32]) {
      await travel(15 * MINUTE)
      await service.runJob('deliveries')
      await inbox.until(owner.url, sent)
      await service.runJob('deliveries')
      await inbox.drained()
      expect(inbox.of(owner.url)).toHaveLength(sent)
    }
    // Nothing is replayed to it.
    const [{ eventId } = {}] = await owner.deliveries('?status=delivered')
    const replayed = await owner.call('POST', `/events/${eventId}/replay`)
    expect([replayed.status, replayed.body.code]).toEqual([409, 'webhook_unconfirmed'])
  })

  it('gets no delivery that waited for another URL, until its owner recovers that', async () => {
    const owner = await endpointOf()
    await test(owner)
    await owner.untilDelivered(1)
    await owner.call('PATCH', owner.path, { enabled: false })
    await happen(owner, 30)
    const victim = 'https://victim.example.com/never/contacted'
    inbox.answer(victim, plain)
    await owner.call('PATCH', owner.path, { url: victim })
    await owner.call('PATCH', owner.path, { enabled: true })
    expect(await owner.deliveries('&status=failed')).toHaveLength(30)
    for (let n = 0; n < 3; n++) {
      await travel(MINUTE)
      await cron()
      await inbox.drained()
    }
    expect([inbox.requests(victim), inbox.of(victim)]).toEqual([[], []])
    const since = new Date(0).toISOString()
    expect((await owner.call('POST', `${owner.path}/recover`, { since })).body).toMatchObject({
      recovered: 30,
    })
    await inbox.until(victim, 30)
    await cron()
    await inbox.drained()
    expect([inbox.requests(victim).length, inbox.of(victim).length]).toEqual([1, 30])
  })

  it('is sent an event once: one that fails is given up', async () => {
    const owner = await endpointOf({ respond: plain })
    await test(owner)
    await owner.untilDelivered(1)
    inbox.answer(owner.url, () => new Response(null, { status: 500 }))
    await happen(owner, 1)
    await travel(MINUTE + 5_000)
    await whileTimePasses(
      service,
      'it is given up',
      async () => (await owner.deliveries('&status=failed')).length === 1,
    )
  })

  it('shares sixty events, and then one a minute, with all others of its host', async () => {
    const respond = plain
    inbox.answerAll(/^https:\/\/shared\.example\.com/, respond)
    const url = (n: number) => `https://shared.example.com/?n=${n}`
    const seen = () => inbox.all().filter((one) => one.url.startsWith('https://shared.example.com/')).length
    const startedAt = service.clock.now()
    const most = () => 60 + Math.floor((service.clock.now() - startedAt) / MINUTE)
    const owners = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const owner = await service.signIn()
        const { id } = await register(owner.call, { webhookUrl: url(n) })
        for (let change = 0; change < 10; change++)
          await owner.call('PATCH', `/agents/${id}`, {
            body: { status: change % 2 === 0 ? 'inactive' : 'active' },
          })
        return owner
      }),
    )
    expect(owners).toHaveLength(10)
    await eventually('sixty are sent', () => seen() >= 60)
    // The test is about the share: such attempts do not wake the database, and wait until it is awake.
    for (let minute = 1; minute <= 9; minute++) {
      await travel(MINUTE)
      await service.runJob('deliveries')
      await inbox.drained()
      expect(seen()).toBeLessThanOrEqual(most())
      expect(seen()).toBeGreaterThanOrEqual(60 + minute)
    }
  })
})

describe('a receiver’s owner', () => {
  it('hands the challenge of an endpoint back, and all that waits follows', async () => {
    const owner = await endpointOf({ respond: plain })
    const path = `${owner.path}/confirm`
    await happen(owner, 34)
    // An unconfirmed receiver gets these at once: an attempt in flight would delay the next deliveries.
    await owner.untilDelivered(30)
    expect(await proofShown(owner)).toBe('unconfirmed')
    const wrong = await owner.call('POST', path, { challenge: 'A'.repeat(43) })
    expect([wrong.status, refusedPaths(wrong)]).toEqual([400, ['challenge']])
    const challenge = inbox.challenge(owner.url)
    const stranger = await service.signIn()
    const refused = await stranger.call('POST', path, { body: { challenge } })
    expect([refused.status, refused.body.code]).toEqual([404, 'endpoint_not_found'])
    const confirmed = await owner.call('POST', path, { challenge })
    expect([confirmed.status, confirmed.body.proof]).toEqual([200, 'proven'])
    await owner.untilDelivered(34)
    expect((await owner.call('POST', path, { challenge })).status).toBe(200)
  })

  it('hands the challenge of an agent’s webhook back', async () => {
    const owner = await inbox.createAgent(plain)
    await inbox.until(owner.url, 1)
    const path = `/agents/${owner.agent.id}/webhook/confirm`
    const wrong = await owner.call('POST', path, { challenge: 'x' })
    expect([wrong.status, refusedPaths(wrong)]).toEqual([400, ['challenge']])
    const challenge = inbox.challenge(owner.url)
    const answer = await owner.call('POST', path, { challenge })
    expect(answer.body).toMatchObject({ id: owner.agent.id, kind: 'agent', proof: 'proven' })
    const stranger = await service.signIn()
    expect((await stranger.call('POST', path, { body: { challenge } })).status).toBe(404)
  })

  it('proves its own URL only: another wallet’s endpoint at that URL is unchanged', async () => {
    const owner = await endpointOf()
    await test(owner)
    await owner.untilDelivered(1)
    const attacker = await service.signIn()
    const made = await attacker.call('POST', '/events/endpoints', { body: { url: owner.url } })
    inbox.answer(owner.url, plain)
    const path = `/events/endpoints/${made.body.id}`
    await attacker.call('POST', `${path}/test`)
    await eventually('it is unconfirmed', async () => {
      const { body } = await attacker.call('GET', path)
      return body.proof === 'unconfirmed'
    })
    // Each wallet's challenge is its own.
    const [first] = inbox.requests(owner.url)
    const { challenge } = (first?.body.data ?? {}) as { challenge?: string }
    const refused = await attacker.call('POST', `${path}/confirm`, { body: { challenge } })
    expect([refused.status, refusedPaths(refused)]).toEqual([400, ['challenge']])
    expect(await proofShown(owner)).toBe('proven')
  })

  it('asks for another proof by setting the same URL, five minutes after the last one', async () => {
    const owner = await endpointOf({ respond: plain })
    await test(owner)
    await owner.untilDelivered(1)
    inbox.answer(
      owner.url,
      ({ body }) => new Response(proofOf((body.data as { challenge?: string }).challenge)),
    )
    for (let n = 0; n < 3; n++) await owner.call('PATCH', owner.path, { url: owner.url })
    expect(await proofShown(owner)).toBe('new')
    await happen(owner, 1)
    await cron()
    await inbox.drained()
    expect(inbox.requests(owner.url)).toHaveLength(1)
    // A run during the pause, for another reason, answers with the end of the pause.
    const answer = await service.runJob('deliveries')
    expect(answer).toMatchObject({ by: expect.toSatisfy((by) => by <= service.clock.now() + 5 * MINUTE) })
    await travel(5 * MINUTE + 5_000)
    await whileTimePasses(
      service,
      'both are delivered',
      async () => (await owner.deliveries('&status=delivered')).length === 2,
    )
    expect(inbox.requests(owner.url)).toHaveLength(2)
    expect(await proofShown(owner)).toBe('proven')
  })
})

it.each([
  ['another text', () => new Response('hello')],
  ['the challenge itself', (challenge: string) => new Response(challenge)],
  ['the proof and more', (challenge: string) => new Response(`${proofOf(challenge)}.`)],
  ['the proof in capitals', (challenge: string) => new Response(proofOf(challenge).toUpperCase())],
])('%s is no proof', async (_, answer) => {
  const owner = await endpointOf({
    respond: () => new Response('x'),
  })
  service.onWebhook(async (request) => {
    const body = (await request.json()) as { type: string; data: { challenge: string } }
    return body.type === 'endpoint.verification' ? answer(body.data.challenge) : new Response('x')
  })
  try {
    await test(owner)
    await eventually('it is unconfirmed', async () => (await proofShown(owner)) === 'unconfirmed')
  } finally {
    inbox.open()
  }
})

it('a receiver at a trusted host is asked for nothing: its first 2xx proves it', async () => {
  const url = 'https://trusted.example.com/hooks/secret'
  inbox.answer(url, plain)
  const owner = await service.signIn()
  const { id } = await register(owner.call, { webhookUrl: url })
  await inbox.until(url, 1)
  expect(inbox.requests(url)).toEqual([])
  await eventually('it is proven', async () => {
    const { body } = await owner.call('GET', `/events/endpoints/${id}`)
    return body.proof === 'proven'
  })
  await logged(owner.call, 1)
})
