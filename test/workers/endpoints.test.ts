import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { createEndpoint } from '../support/endpoints.ts'
import { logged } from '../support/events.ts'
import { openInvites } from '../support/invites.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, ONE } from '../support/staker.ts'
import { eventually, openInbox, type Received, reachAlarmOf, validSignatures } from '../support/webhooks.ts'

const DAY = 86_400_000

const oracle = createWallet()
let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'reputation', 'pioneer', 'events', 'jobs', 'settlement'],
    bindings: { ORACLE_WALLETS: oracle.publicKey },
  })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const endpointOf = (changes: Parameters<typeof createEndpoint>[2] = {}) =>
  createEndpoint(service, inbox, changes)
const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const cron = () => service.reachAlarm()
const fails = () => new Response(null, { status: 500 })

/** Whether the libraries that people have verify an attempt by a secret. */
const accepts = ({ headers, bytes }: Received, secret: string): boolean[] =>
  [new Webhook(secret), new SvixWebhook(secret)].map((library) => {
    try {
      // Amounts may be larger than JSON.parse keeps.
      library.verify(bytes.toString(), headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  })

// First, since the libraries ask the machine's clock.
describe('a secret', () => {
  it('verifies by standardwebhooks and svix, and by no other secret', async () => {
    const owner = await endpointOf()
    const other = await endpointOf()
    await owner.call('POST', `${owner.path}/test`)
    const [received] = await inbox.until(owner.url, 1)
    expect(owner.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(accepts(received, owner.secret)).toEqual([true, true])
    expect(accepts(received, other.secret)).toEqual([false, false])
    expect(accepts({ ...received, bytes: Buffer.from('{}') }, owner.secret)).toEqual([false, false])
    // And by the service's key, as every webhook.
    expect(validSignatures(received, service.webhookKeys.WEBHOOK_PUBLIC_KEYS)).toBe(1)
    expect(received.body).toMatchObject({ type: 'endpoint.test', data: { endpointId: owner.endpoint.id } })
  })

  it('signs next to its replacement; a second rotation ends it at once', async () => {
    const owner = await endpointOf()
    const rotate = async () => (await owner.call('POST', `${owner.path}/secret`)).body
    const second = await rotate()
    const { call } = await service.signIn(owner.wallet)
    await register(call)
    const [during] = await inbox.until(owner.url, 1)
    for (const secret of [owner.secret, String(second.secret)])
      expect(accepts(during, secret)).toEqual([true, true])
    expect(during.headers['webhook-signature']?.split(' ').map((entry) => entry.split(',')[0])).toEqual([
      'v1',
      'v1',
      'v1a',
    ])
    const third = await rotate()
    await register(call)
    const [, after] = await inbox.until(owner.url, 2)
    const verdicts = [owner.secret, second.secret, third.secret].map(
      (secret) => after && accepts(after, String(secret))[0],
    )
    expect(verdicts).toEqual([false, true, true])
    const left = Date.parse(String(third.previousSecretEndsAt)) - service.clock.now()
    expect(left).toBeGreaterThan(DAY - 60_000)
    await travel(DAY)
    await register((await service.signIn(owner.wallet)).call)
    const [, , last] = await inbox.until(owner.url, 3)
    expect(last?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  })

  it('is in no later answer, no log and no row of the database', async () => {
    const owner = await endpointOf()
    const rotated = await owner.call('POST', `${owner.path}/secret`)
    await owner.call('POST', `${owner.path}/test`)
    await inbox.until(owner.url, 1)
    const secrets = [owner.secret, String(rotated.body.secret)].map((text) => text.slice('whsec_'.length))
    const answers = await Promise.all([
      owner.call('GET', '/events/endpoints'),
      owner.call('GET', owner.path),
      owner.call('PATCH', owner.path, { description: 'Mine' }),
      owner.call('GET', `${owner.path}/attempts`),
      owner.call('GET', '/events/deliveries'),
      owner.call('GET', '/events'),
    ])
    const tables = await service.database.engine.run([
      { query: `select tablename from pg_tables where schemaname = 'public'`, params: [] },
    ])
    const names = tables[0]?.rows.map(([name]) => String(name)) ?? []
    expect(names).toContain('endpoints')
    const dump = await service.database.engine.run(
      names.map((name) => ({ query: `select t::text from "${name}" as t`, params: [] })),
    )
    const everything = [
      ...answers.map(({ text }) => text),
      ...service.logs.texts,
      JSON.stringify(dump.map(({ rows }) => rows)),
    ].join('\n')
    expect(everything).toContain(owner.endpoint.id)
    for (const secret of secrets) {
      expect(secret).toHaveLength(32)
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(Buffer.from(secret, 'base64').toString('hex'))
    }
    expect(everything).not.toContain('whsec_')
    const removed = await owner.call('DELETE', owner.path)
    expect([removed.status, removed.text.includes('whsec_')]).toEqual([200, false])
  })
})

describe('an endpoint', () => {
  it('is sent what happens in its wallet’s log, on both sides of a hire', async () => {
    const owner = await endpointOf()
    const hirer = await endpointOf()
    const agent = await register((await service.signIn(owner.wallet)).call)
    const hire = await hirer.call('POST', '/agents/hire', { agentId: agent.id })
    await owner.untilSent('agent.registered', 'hire.created')
    await hirer.untilSent('hire.created')
    await hirer.call('DELETE', `/agents/hire?id=${hire.body.id}`)
    await hirer.untilSent('hire.created', 'hire.terminated')
    await owner.untilDelivered(3)
    const [delivery] = await owner.deliveries()
    expect(delivery).toMatchObject({
      endpointId: owner.endpoint.id,
      agentId: agent.id,
      type: 'hire.terminated',
    })
    const { body } = await owner.call('GET', `${owner.path}/attempts`)
    expect(body.count).toBe(3)
    expect((body.attempts as object[])[0]).toMatchObject({ eventId: delivery?.eventId, responseCode: 204 })
    const page = await owner.call('GET', `${owner.path}/attempts?limit=2`)
    const rest = await owner.call('GET', `${owner.path}/attempts?limit=2&cursor=${page.body.nextCursor}`)
    expect([...(page.body.attempts as object[]), ...(rest.body.attempts as object[])]).toEqual(body.attempts)
    const ofEvent = await owner.call('GET', `${owner.path}/attempts?eventId=${delivery?.eventId}`)
    expect(ofEvent.body.attempts).toEqual((body.attempts as object[]).slice(0, 1))
    expect(await owner.deliveries(`&eventId=${delivery?.eventId}`)).toEqual([delivery])
    expect(await hirer.deliveries(`&eventId=${delivery?.eventId}&status=failed`)).toEqual([])
  })

  it('is sent what concerns no agent: attestations and pioneers', async () => {
    const owner = await endpointOf()
    const body = { credentialType: 'certification', credentialId: 'A' }
    const attested = await owner.call('POST', '/reputation/attest/skill', body)
    const attestationId = attested.body.id
    await owner.call('POST', '/reputation/verify', { attestation_id: attestationId })
    await eventually('it is in review', async () => {
      const { body } = await service.call('GET', `/reputation/verify?attestation_id=${attestationId}`)
      return body.status === 'in_review'
    })
    const asOracle = await service.signIn(oracle)
    const decision = { attestationId, decision: 'verified' }
    await asOracle.call('POST', '/reputation/oracle/decisions', { body: decision })
    await owner.untilSent('attestation.verified')
    const invites = await openInvites(service)
    const [inviteCode] = await invites.issue(1)
    await invites.close()
    const walletAddress = owner.wallet.publicKey
    await service.call('POST', '/pioneer', { body: { inviteCode, walletAddress } })
    await owner.untilSent('attestation.verified', 'pioneer.joined')
  })

  it('is sent what happens in its wallet’s vault', async () => {
    const staker = await createStaker(service)
    const owner = await endpointOf({ wallet: walletFromSecretKey(staker.keypair.secretKey) })
    await staker.send(await staker.stack(100 * ONE, 7))
    await staker.vault()
    await owner.untilSent('vault.position_opened')
    const [opened] = await inbox.until(owner.url, 1)
    expect(opened.body.data).toMatchObject({ owner: staker.owner, positionId: 0, amount: 100 * ONE })
    await owner.untilDelivered(1)
  })

  it('listens to the types and agents that are set, from then on', async () => {
    const owner = await endpointOf()
    const agents = [
      await owner.call('POST', '/agents/register', AGENT),
      await owner.call('POST', '/agents/register', AGENT),
    ]
    await owner.untilSent('agent.registered', 'agent.registered')
    const [first, second] = agents.map(({ body }) => String(body.id))
    const filter = { eventTypes: ['agent.status_changed'], agentIds: [first] }
    expect((await owner.call('PATCH', owner.path, filter)).body).toMatchObject(filter)
    for (const id of [first, second]) {
      await owner.call('PATCH', `/agents/${id}`, { status: 'inactive' })
      await (await service.signIn()).call('GET', `/agents/${id}`)
    }
    await owner.call('POST', '/agents/register', AGENT)
    await owner.untilDelivered(3)
    await owner.untilSent('agent.registered', 'agent.registered', 'agent.status_changed')
    expect(inbox.of(owner.url).at(-1)?.body.data).toMatchObject({ agentId: first })
    // Nor is anything else enqueued, which the statement of each event decides.
    expect(await owner.deliveries()).toHaveLength(3)
  })

  it.each([
    ['an unknown type', { eventTypes: ['hire.created', 'hire.crated'] }, 'eventTypes.1'],
    ['a URL that nothing may be sent to', { url: 'http://hooks.example.com/' }, 'url'],
    ['a URL of our own', { url: 'https://api.agentcred.example/v1/events' }, 'url'],
    ['a field that there is not', { agents: [] }, 'agents'],
    ['an id that is none', { agentIds: ['x'] }, 'agentIds.0'],
  ])('refuses %s, new or changed', async (_what, invalid, path) => {
    const owner = await endpointOf()
    const made = await owner.call('POST', '/events/endpoints', {
      url: 'https://hooks.example.com/',
      ...invalid,
    })
    const changed = await owner.call('PATCH', owner.path, invalid)
    for (const answer of [made, changed]) expect([answer.status, refusedPaths(answer)]).toEqual([400, [path]])
    expect((await owner.call('GET', '/events/endpoints')).body.count).toBe(1)
  })

  it('can not listen to somebody else’s agent', async () => {
    const stranger = await service.signIn()
    const strangers = await register(stranger.call)
    const owner = await endpointOf()
    const own = await owner.call('POST', '/agents/register', AGENT)
    const body = { url: 'https://spy.example.com/', agentIds: [own.body.id, strangers.id] }
    const made = await owner.call('POST', '/events/endpoints', body)
    const changed = await owner.call('PATCH', owner.path, { agentIds: body.agentIds })
    for (const answer of [made, changed])
      expect([answer.status, refusedPaths(answer)]).toEqual([400, ['agentIds.1']])
    expect((await owner.call('GET', owner.path)).body.agentIds).toEqual([])
    await stranger.call('PATCH', `/agents/${strangers.id}`, { body: { status: 'inactive' } })
    await inbox.drained()
    expect(inbox.of('https://spy.example.com/')).toEqual([])
    expect(owner.types()).toEqual(['agent.registered'])
  })

  it('is nobody else’s to see, change or use', async () => {
    const owner = await endpointOf()
    const stranger = await service.signIn()
    const bodies: Record<string, object> = {
      PATCH: { enabled: false },
      recover: { since: '2026-01-01T00:00:00.000Z' },
    }
    for (const [method, rest] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/test'],
      ['POST', '/recover'],
      ['GET', '/attempts'],
    ] as const) {
      const body = bodies[method] ?? bodies[rest.slice(1)]
      const answer = await stranger.call(method, `${owner.path}${rest}`, body ? { body } : {})
      expect([answer.status, answer.body.code], `${method} ${rest}`).toEqual([404, 'endpoint_not_found'])
      expect((await service.call(method, `${owner.path}${rest}`)).status).toBe(401)
    }
    expect((await stranger.call('GET', '/events/endpoints')).body).toEqual({ endpoints: [], count: 0 })
    expect((await owner.call('GET', owner.path)).body).toMatchObject({ enabled: true })
  })

  it('is one of ten: an eleventh is refused, until one is deleted', async () => {
    const owner = await endpointOf()
    const make = () => owner.call('POST', '/events/endpoints', { url: 'https://hooks.example.com/' })
    for (let n = 1; n < 10; n++) expect((await make()).status).toBe(201)
    const refused = await make()
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded'])
    await owner.call('DELETE', owner.path)
    expect((await make()).status).toBe(201)
  })

  it('is listed once in pages of any size, the newest first', async () => {
    const owner = await endpointOf()
    const ids = [owner.endpoint.id]
    for (let n = 1; n < 4; n++) {
      const { body } = await owner.call('POST', '/events/endpoints', { url: 'https://hooks.example.com/' })
      ids.unshift(body.id as string)
    }
    const pages = async (limit: number, cursor = ''): Promise<string[][]> => {
      const { body } = await owner.call('GET', `/events/endpoints?limit=${limit}${cursor}`)
      const page = (body.endpoints as { id: string }[]).map(({ id }) => id)
      return [page, ...(body.nextCursor ? await pages(limit, `&cursor=${body.nextCursor}`) : [])]
    }
    expect(await pages(1)).toEqual(ids.map((id) => [id]))
    expect(await pages(3)).toEqual([ids.slice(0, 3), ids.slice(3)])
    expect(await pages(4)).toEqual([ids])
  })

  it('that is paused keeps its events, and gets them when it is resumed', async () => {
    const owner = await endpointOf()
    await owner.call('POST', '/agents/register', AGENT)
    await owner.untilDelivered(1)
    const paused = await owner.call('PATCH', owner.path, { enabled: false })
    expect(paused.body).toMatchObject({ enabled: false, disabledReason: 'paused' })
    await owner.call('POST', '/agents/register', AGENT)
    await inbox.drained()
    expect((await owner.deliveries()).map(({ status }) => status)).toEqual(['held', 'delivered'])
    expect((await owner.call('POST', `${owner.path}/test`)).body.code).toBe('webhook_disabled')
    const resumed = await owner.call('PATCH', owner.path, { enabled: true })
    expect(resumed.body).not.toHaveProperty('disabledAt')
    await owner.untilDelivered(2)
  })

  it('that is deleted gets nothing more; its deliveries can still be read', async () => {
    const owner = await endpointOf({ respond: fails })
    await owner.call('POST', '/agents/register', AGENT)
    await eventually('it was tried', async () => (await owner.deliveries())[0]?.lastResponseCode === 500)
    expect((await owner.call('DELETE', owner.path)).body.id).toBe(owner.endpoint.id)
    await owner.call('POST', '/agents/register', AGENT)
    await travel(DAY)
    await cron()
    await inbox.drained()
    expect(owner.types()).toEqual(['endpoint.verification'])
    expect(await owner.deliveries()).toMatchObject([{ status: 'failed', attempts: 1 }])
    for (const method of ['GET', 'DELETE']) expect((await owner.call(method, owner.path)).status).toBe(404)
  })

  it('of an agent is its webhookUrl: listed, tested, and changed by PATCH /agents only', async () => {
    const owner = await inbox.createAgent()
    await owner.untilStates('delivered')
    const path = `/events/endpoints/${owner.agent.id}`
    const { body } = await owner.call('GET', path)
    expect(body).toMatchObject({
      id: owner.agent.id,
      kind: 'agent',
      url: owner.url,
      agentIds: [owner.agent.id],
      enabled: true,
    })
    expect((await owner.call('GET', '/events/endpoints')).body).toEqual({ endpoints: [body], count: 1 })
    for (const [method, rest, sent] of [
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
    ] as const) {
      const refused = await owner.call(method, path + rest, sent)
      expect([refused.status, refused.body.code]).toEqual([409, 'endpoint_of_agent'])
    }
    await owner.call('POST', `${path}/test`)
    const [, test] = await inbox.until(owner.url, 2)
    expect(test?.body).toMatchObject({ type: 'endpoint.test', data: { agentId: owner.agent.id } })
    expect(test?.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/)
    // By name it is sent again, too, and to no other agent.
    const replay = `/events/${test?.body.id}/replay`
    const unnamed = await owner.call('POST', replay)
    expect([unnamed.status, unnamed.body.code]).toEqual([409, 'webhook_missing'])
    expect((await owner.call('POST', replay, { endpointId: owner.agent.id })).status).toBe(202)
    const [, , again] = await inbox.until(owner.url, 3)
    expect(again?.body).toEqual(test?.body)
    const other = await register(service.stayIn(owner.wallet), { webhookUrl: 'https://other.example.com/' })
    expect((await owner.call('POST', replay, { endpointId: other.id })).body.code).toBe('webhook_missing')
  })

  it('gets one test in ten seconds, of all the wallet’s', async () => {
    const owner = await endpointOf()
    const second = await endpointOf({ wallet: owner.wallet })
    const tests = await Promise.all(
      [owner, second, owner].map(({ path }) => owner.call('POST', `${path}/test`)),
    )
    expect(tests.map(({ status }) => status).sort()).toEqual([202, 429, 429])
    const refused = tests.find(({ status }) => status === 429)
    // Ten seconds after the first one; a busy machine may be late with this one.
    expect(refused?.headers.get('retry-after')).toMatch(/^([1-9]|10)$/)
    await travel(10_000)
    expect((await owner.call('POST', `${second.path}/test`)).status).toBe(202)
  })

  it('gets an event again by its id, of any type, and only from its own log', async () => {
    const owner = await endpointOf({ eventTypes: ['hire.created'] })
    await owner.call('POST', '/agents/register', AGENT)
    const [event] = await logged(owner.call, 1)
    const replay = `/events/${event?.id}/replay`
    const missing = await owner.call('POST', replay)
    expect(missing.body.code).toBe('webhook_missing')
    const replayed = await owner.call('POST', replay, { endpointId: owner.endpoint.id })
    expect([replayed.status, replayed.body.endpointId]).toEqual([202, owner.endpoint.id])
    await owner.untilSent('agent.registered')
    const stranger = await endpointOf()
    expect((await owner.call('POST', replay, { endpointId: stranger.endpoint.id })).status).toBe(409)
    expect((await stranger.call('POST', replay, { endpointId: stranger.endpoint.id })).status).toBe(404)
    expect(stranger.types()).toEqual([])
  })

  it('gets again what was given up since a time, when its owner asks', async () => {
    const owner = await endpointOf({ eventTypes: ['agent.registered'] })
    for (const name of ['First agent', 'Second agent']) {
      await owner.call('POST', '/agents/register', { ...AGENT, name })
    }
    await owner.untilDelivered(2)
    await service.database.engine.run([
      {
        query: `update deliveries set status = 'failed' where endpoint_id = $1`,
        params: [owner.endpoint.id],
      },
    ])
    const recover = (since: string) => owner.call('POST', `${owner.path}/recover`, { since })
    const later = new Date(service.clock.now() + DAY).toISOString()
    expect((await recover(later)).body).toEqual({ recovered: 0, hasMore: false })
    for (const since of ['yesterday', '2026-02-31T00:00:00.000Z', '2026-11-20']) {
      expect(refusedPaths(await recover(since))).toEqual(['since'])
    }
    const [oldest] = (await owner.deliveries()).map(({ createdAt }) => String(createdAt)).sort()
    // The same time, by a clock of Kathmandu.
    const shifted = new Date(Date.parse(String(oldest)) + 345 * 60_000).toISOString().replace('Z', '+05:45')
    expect((await recover(shifted)).body).toEqual({ recovered: 2, hasMore: false })
    await owner.untilDelivered(2)
    expect(owner.types()).toHaveLength(4)
  })
})

it('where jobs can make no secret, none is made up and nothing is stored', async () => {
  const owner = await endpointOf()
  await service.redeploy({ WEBHOOK_SECRETS_KEY: 'nonsense' })
  const made = await owner.call('POST', '/events/endpoints', { url: 'https://hooks.example.com/' })
  expect([made.status, made.headers.get('retry-after')]).toEqual([503, '5'])
  expect(made.text).not.toContain('nonsense')
  expect((await owner.call('POST', `${owner.path}/secret`)).status).toBe(503)
  expect((await owner.call('GET', '/events/endpoints')).body.count).toBe(1)
  // Due deliveries wait, without an attempt that counts.
  await owner.call('POST', '/agents/register', AGENT)
  await inbox.drained({ cutOff: 1 })
  expect(await owner.deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }])
  expect(owner.types()).toEqual([])
  await service.redeploy({})
  // Its URL has never answered: five minutes between attempts.
  await travel(5 * 60_000 + 1_000)
  const at = service.clock.now()
  await reachAlarmOf(service, { at, by: at + 5_000 })
  await owner.untilDelivered(1)
})

const AGENT = { name: 'Test agent', agentType: 'autonomous', supportedLayers: [1, 10, 17] }
