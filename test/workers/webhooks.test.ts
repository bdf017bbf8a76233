import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { registration } from '../support/agents.ts'
import { logged } from '../support/events.ts'
import { type Service, startService } from '../support/service.ts'
import {
  openInbox,
  type Received,
  reachAlarmOf,
  validSignatures,
  whileTimePasses,
} from '../support/webhooks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

let service: Service
let inbox: ReturnType<typeof openInbox>
let publicKey: string
beforeAll(async () => {
  // Attempt failing endpoints one second after answering ones, instead of one to five.
  const constants = { jobs: { MAX_PROBE_DELAY_S: 1 } }
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'], constants })
  inbox = openInbox(service)
  publicKey = service.webhookKeys.WEBHOOK_PUBLIC_KEYS
})
afterAll(() => service.stop())

const cron = () => service.reachAlarm()
const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers })

describe('an event of an agent', () => {
  it('reaches its webhook by itself: registered, hired, ended, made inactive', async () => {
    const owner = await inbox.createAgent()
    const hirer = await owner.hire({ budgetLimit: 7 })
    await hirer.call('DELETE', `/agents/hire?id=${hirer.hire.id}`)
    await owner.call('PATCH', `/agents/${owner.agent.id}`, { status: 'inactive' })
    const received = await inbox.until(owner.url, 4)
    expect(inbox.types(owner.url).sort()).toEqual([
      'agent.registered',
      'agent.status_changed',
      'hire.created',
      'hire.terminated',
    ])
    const created = received.find(({ body }) => body.type === 'hire.created')
    expect(created?.body).toEqual({
      id: created?.headers['webhook-id'],
      type: 'hire.created',
      timestamp: hirer.hire.hiredAt,
      data: {
        hireId: hirer.hire.id,
        agentId: owner.agent.id,
        agentName: owner.agent.name,
        wallet: hirer.wallet.publicKey,
        layersEnabled: [1, 10, 17],
        budgetLimit: 7,
        autoRenew: false,
        status: 'active',
        hiredAt: hirer.hire.hiredAt,
        expiresAt: hirer.hire.expiresAt,
      },
    })
    const [delivery] = await owner.untilStates('delivered', 'delivered', 'delivered', 'delivered')
    expect(delivery).toMatchObject({ type: 'agent.status_changed', attempts: 1, lastResponseCode: 204 })
    expect(delivery).not.toHaveProperty('nextAttemptAt')
  })

  it('is signed: the bytes as sent, by another implementation, under the published key', async () => {
    const { url } = await inbox.createAgent()
    const [received] = await inbox.until(url, 1)
    expect((await service.call('GET', '/events/keys')).body).toEqual({ keys: [publicKey] })
    expect(validSignatures(received, publicKey)).toBe(1)
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'AgentCred-Webhooks/1.0',
      'webhook-id': received.body.id,
    })
    const sentAt = Number(received.headers['webhook-timestamp']) * 1000
    expect(Math.abs(sentAt - service.clock.now())).toBeLessThan(MINUTE)
    // The verifier can fail: over another body, id or time, and under another key.
    const forged: Received[] = [
      { ...received, bytes: Buffer.concat([received.bytes, Buffer.from(' ')]) },
      { ...received, headers: { ...received.headers, 'webhook-id': 'other' } },
      { ...received, headers: { ...received.headers, 'webhook-timestamp': '1' } },
    ]
    for (const attempt of forged) expect(validSignatures(attempt, publicKey)).toBe(0)
    expect(validSignatures(received, generateWebhookKeys().WEBHOOK_PUBLIC_KEYS)).toBe(0)
  })

  it('is a small message, for an agent of any size, with exact amounts', async () => {
    const owner = await inbox.createAgent(undefined, {
      name: '𝄞'.repeat(32),
      supportedLayers: Array.from({ length: 22 }, (_, i) => i + 1),
      feeModel: 'flat',
      feeAmount: Number.MAX_SAFE_INTEGER,
    })
    await owner.hire({ budgetLimit: Number.MAX_SAFE_INTEGER })
    for (const { bytes } of await inbox.until(owner.url, 2)) {
      expect(bytes.length).toBeLessThan(20_000)
      expect(bytes.toString()).toContain('9007199254740991')
    }
  })

  it('goes nowhere when the agent has no webhook, and is in the log all the same', async () => {
    const { call } = await service.signIn()
    await call('POST', '/agents/register', { body: registration() })
    await logged(call, 1)
    expect((await call('GET', '/events/deliveries')).body).toEqual({ deliveries: [], count: 0 })
  })

  it('expires and renews by itself, and publishes each once', async () => {
    const owner = await inbox.createAgent()
    const renewing = await owner.hire({ autoRenew: true, expiresInDays: 2 })
    await owner.hire({ expiresInDays: 1 })
    await inbox.until(owner.url, 3)
    await travel(2 * DAY)
    await cron()
    await cron()
    const received = await inbox.until(owner.url, 5)
    const renewed = received.find(({ body }) => body.type === 'hire.renewed')?.body
    expect(renewed?.timestamp).toBe(renewing.hire.expiresAt)
    expect(renewed?.data).toMatchObject({
      hireId: renewing.hire.id,
      status: 'active',
      expiresAt: new Date(Date.parse(String(renewing.hire.expiresAt)) + 2 * DAY).toISOString(),
    })
    await owner.call('PATCH', `/agents/${owner.agent.id}`, { status: 'inactive' })
    await travel(2 * DAY)
    await cron()
    await inbox.until(owner.url, 7)
    await owner.untilStates(...Array<string>(7).fill('delivered'))
    expect(inbox.types(owner.url).sort()).toEqual([
      'agent.registered',
      'agent.status_changed',
      'hire.created',
      'hire.created',
      'hire.expired',
      'hire.expired',
      'hire.renewed',
    ])
  })
})

const ELSEWHERE = 'https://elsewhere.example/'

describe('an endpoint that fails', () => {
  it('is tried again in seconds, with the same id and bytes, and a new signature', async () => {
    let attempts = 0
    const owner = await inbox.createProven(() => status(++attempts === 1 ? 500 : 200))
    await owner.hire()
    const { nextAttemptAt } = await owner.untilAttempted(1)
    const at = Date.parse(String(nextAttemptAt))
    await reachAlarmOf(service, { at, by: at + SECOND })
    const [, first, second] = await inbox.until(owner.url, 3)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.bytes).toEqual(first?.bytes)
    const waited = Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])
    expect(waited).toBeGreaterThanOrEqual(4)
    for (const attempt of [first, second]) expect(attempt && validSignatures(attempt, publicKey)).toBe(1)
    const [delivery] = await owner.untilStates('delivered', 'delivered')
    expect(delivery).toMatchObject({ attempts: 2, lastResponseCode: 200 })
  })

  it.each<[string, () => Response, object]>([
    ['answers 500', () => new Response('oops', { status: 500 }), { lastResponseCode: 500 }],
    ['redirects', () => status(302, { location: ELSEWHERE }), { lastResponseCode: 302 }],
    ['answers 404', () => status(404), { lastResponseCode: 404 }],
    [
      'can not be reached',
      () => {
        throw new Error('connection refused')
      },
      {},
    ],
  ])('because it %s is to be tried again in seconds', async (_case, fault, recorded) => {
    const owner = await inbox.createProven(fault)
    await owner.hire()
    const delivery = await owner.untilAttempted(1)
    expect(delivery).toMatchObject({ status: 'pending', ...recorded })
    const wait = Date.parse(String(delivery.nextAttemptAt)) - Date.parse(String(delivery.lastAttemptAt))
    expect(wait).toBeGreaterThanOrEqual(5 * SECOND)
    expect(wait).toBeLessThan(MINUTE)
    expect(inbox.of(ELSEWHERE)).toEqual([])
  })

  it('is not asked before the time that its Retry-After names', async () => {
    const owner = await inbox.createAgent(() => status(429, { 'retry-after': '7200' }))
    const delivery = await owner.untilAttempted(1)
    const wait = Date.parse(String(delivery.nextAttemptAt)) - Date.parse(String(delivery.lastAttemptAt))
    expect(wait).toBeGreaterThanOrEqual(7_200 * SECOND)
    expect(wait).toBeLessThan(7_230 * SECOND)
    expect(delivery).toMatchObject({ lastResponseCode: 429, status: 'pending' })
  })

  it('is paused after a 410: events wait, and are sent when webhookUrl is set', async () => {
    const owner = await inbox.createAgent(() => status(410))
    await owner.untilStates('held')
    await owner.hire()
    await travel(3 * DAY)
    await cron()
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(1)
    const held = await owner.untilStates('held', 'held')
    for (const delivery of held) expect(delivery).not.toHaveProperty('nextAttemptAt')
    expect(await owner.deliveries('?status=held')).toHaveLength(2)
    expect(await owner.deliveries('?status=pending')).toEqual([])
    const refused = await owner.call('POST', `/events/${held[0]?.eventId}/replay`)
    expect(refused.body).toMatchObject({ status: 409, code: 'webhook_disabled' })
    const kept = await owner.call('PATCH', `/agents/${owner.agent.id}`, { logoUrl: null })
    expect(kept.body).toHaveProperty('webhookDisabledAt')
    const endpoint = async () => (await owner.call('GET', `/events/endpoints/${owner.agent.id}`)).body
    expect(await endpoint()).toMatchObject({ kind: 'agent', enabled: false, disabledReason: 'gone' })

    inbox.answer(owner.url, () => status(200))
    const enabled = await owner.call('PATCH', `/agents/${owner.agent.id}`, { webhookUrl: owner.url })
    expect(enabled.body).not.toHaveProperty('webhookDisabledAt')
    expect(await endpoint()).not.toHaveProperty('disabledReason')
    await inbox.until(owner.url, 3)
    await owner.untilStates('delivered', 'delivered')
  })

  it('is given up with its webhook; the next one gets its deliveries on recovery', async () => {
    const owner = await inbox.createAgent(() => status(500))
    await owner.untilAttempted(1)
    await owner.call('PATCH', `/agents/${owner.agent.id}`, { webhookUrl: null })
    await owner.untilStates('failed')
    // No endpoint listens to this.
    await owner.hire()
    await owner.untilStates('failed')
    const url = 'https://next.example.com/'
    await owner.call('PATCH', `/agents/${owner.agent.id}`, { webhookUrl: url })
    await cron()
    await inbox.drained()
    expect(inbox.requests(url)).toEqual([])
    const since = String(owner.agent.registeredAt)
    await owner.call('POST', `/events/endpoints/${owner.agent.id}/recover`, { since })
    await inbox.until(url, 1)
    expect(inbox.types(url)).toEqual(['agent.registered'])
    await owner.untilStates('delivered')
  })

  it('deletes deliveries after 30 days, but not events, which can be replayed', async () => {
    const owner = await inbox.createAgent()
    await owner.untilStates('delivered')
    await travel(31 * DAY)
    await whileTimePasses(service, 'they are forgotten', async () => (await owner.deliveries()).length === 0)
    const [event] = await logged(service.stayIn(owner.wallet), 1)
    const replayed = await owner.call('POST', `/events/${event?.id}/replay`)
    expect(replayed.body).toMatchObject({ status: 'pending', attempts: 0 })
    await inbox.until(owner.url, 2)
    await owner.untilStates('delivered')
  })
})

it('while the signing key is rotated there are two signatures, one by each', async () => {
  const rotated = generateWebhookKeys(service.webhookKeys.WEBHOOK_SIGNING_KEYS)
  const [newer = '', older] = rotated.WEBHOOK_PUBLIC_KEYS.split(',')
  expect(older).toBe(publicKey)
  await service.redeploy(rotated)
  const { url } = await inbox.createAgent()
  const [received] = await inbox.until(url, 1)
  expect(received.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+ v1a,\S+$/)
  expect(validSignatures(received, publicKey)).toBe(1)
  expect(validSignatures(received, newer)).toBe(1)
  expect((await service.call('GET', '/events/keys')).body).toEqual({ keys: [newer, publicKey] })
})
