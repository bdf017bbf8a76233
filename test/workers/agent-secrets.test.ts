import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register, registration } from '../support/agents.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { eventually, openInbox, type Received, validSignatures } from '../support/webhooks.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/
const HOUR = 3_600_000

const operator = createWallet()
let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'events', 'jobs'],
    bindings: { OPERATOR_WALLETS: operator.publicKey },
  })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

/** Whether standardwebhooks and svix verify an attempt by a secret. */
const accepts = ({ headers, bytes }: Received, secret: unknown): boolean[] =>
  [new Webhook(String(secret)), new SvixWebhook(String(secret))].map((library) => {
    try {
      library.verify(bytes.toString(), headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  })

type Owner = Awaited<ReturnType<typeof inbox.createAgent>>

const secretPath = ({ agent }: Owner) => `/events/endpoints/${agent.id}/secret`
const change = async (owner: Owner, changes: Body) =>
  (await owner.call('PATCH', `/agents/${owner.agent.id}`, changes)).body

/**
 * Requests a test event for an agent's webhook and returns its attempt; ignores other deliveries meanwhile.
 */
async function tested(owner: Owner, url = owner.url): Promise<Received> {
  await service.clock.travelTo(service.clock.now() + 11_000)
  const asked = await owner.call('POST', `/events/endpoints/${owner.agent.id}/test`)
  expect(asked.status).toBe(202)
  const find = () => inbox.of(url).find(({ body }) => body.id === asked.body.eventId)
  await eventually('the test event has arrived', () => find() !== undefined)
  return find() ?? expect.fail()
}

const rowsOf = async (query: string, ...params: string[]) =>
  (await service.database.engine.run([{ query, params }]))[0]?.rows ?? []
const secretsOf = ({ agent }: Owner) =>
  rowsOf('select secret, previous_secret from agent_webhook_secrets where agent_id = $1', agent.id)

/** An agent as a release before secrets has left it. */
async function createFormerAgent(): Promise<Owner> {
  const owner = await inbox.createAgent()
  await rowsOf('delete from agent_webhook_secrets where agent_id = $1', owner.agent.id)
  return owner
}

// First, since the libraries ask the machine's clock: tests move it by seconds.
describe('the secret of an agent’s webhook', () => {
  it('verifies what the agent is sent, by the libraries standardwebhooks and svix', async () => {
    const owner = await inbox.createAgent()
    const other = await inbox.createAgent()
    const { webhookSecret } = owner.agent
    expect(webhookSecret).toMatch(SECRET)
    const [received] = await inbox.until(owner.url, 1)
    expect(received.body.type).toBe('agent.registered')
    expect(accepts(received, webhookSecret)).toEqual([true, true])
    expect(accepts(received, other.agent.webhookSecret)).toEqual([false, false])
    expect(validSignatures(received, service.webhookKeys.WEBHOOK_PUBLIC_KEYS)).toBe(1)
    const [request] = inbox.requests(owner.url)
    expect(request && accepts(request, webhookSecret)).toEqual([true, true])
  })

  it('is made with the first webhookUrl and stays when the URL changes or goes', async () => {
    const { call } = await service.signIn()
    const plain = await register(call)
    expect(plain).not.toHaveProperty('webhookSecret')
    const path = `/agents/${plain.id}`
    const url = 'https://later-hooks.example.com/'
    const priced = await call('PATCH', path, { body: { description: 'Mine' } })
    const set = await call('PATCH', path, { body: { webhookUrl: url } })
    expect([priced.body.webhookSecret, set.body.webhookSecret]).toEqual([
      undefined,
      expect.stringMatching(SECRET),
    ])
    for (const webhookUrl of [url, null, 'https://third-hooks.example.com/', null, url])
      expect((await call('PATCH', path, { body: { webhookUrl } })).body).not.toHaveProperty('webhookSecret')
    await call('POST', `/events/endpoints/${plain.id}/test`)
    const [received] = await inbox.until(url, 1)
    expect(accepts(received, set.body.webhookSecret)).toEqual([true, true])
  })

  it('is rotated by the agent’s id: the last two sign for a day', async () => {
    const owner = await inbox.createAgent()
    const rotated = await owner.call('POST', secretPath(owner))
    expect(rotated.body).toEqual({
      id: owner.agent.id,
      secret: expect.stringMatching(SECRET),
      previousSecretEndsAt: expect.any(String),
    })
    const left = Date.parse(String(rotated.body.previousSecretEndsAt)) - service.clock.now()
    expect(left).toBeGreaterThan(23 * HOUR)
    const during = await tested(owner)
    for (const secret of [owner.agent.webhookSecret, rotated.body.secret])
      expect(accepts(during, secret)).toEqual([true, true])
    const secrets = [owner.agent.webhookSecret, rotated.body.secret]
    for (let n = 0; n < 20; n++) secrets.push((await owner.call('POST', secretPath(owner))).body.secret)
    const after = await tested(owner)
    const valid = secrets.map((secret) => accepts(after, secret)[0])
    expect(valid).toEqual(secrets.map((_, n) => n >= secrets.length - 2))
    expect(await secretsOf(owner)).toHaveLength(1)
  })

  it('is made for an agent of a former release when its owner asks or sets webhookUrl', async () => {
    const owner = await createFormerAgent()
    const before = await tested(owner)
    expect(before.headers['webhook-signature']).toMatch(/^v1a,\S+$/)
    const first = await owner.call('POST', secretPath(owner))
    expect(first.status).toBe(200)
    // No secret was before it.
    expect(Date.parse(String(first.body.previousSecretEndsAt))).toBeLessThanOrEqual(service.clock.now())
    const after = await tested(owner)
    expect(accepts(after, first.body.secret)).toEqual([true, true])
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    const another = await createFormerAgent()
    const set = await change(another, { webhookUrl: another.url })
    expect(accepts(await tested(another), set.webhookSecret)).toEqual([true, true])
  })

  it('is nobody else’s to make, whether stranger or operator', async () => {
    const owner = await createFormerAgent()
    const bare = await register(service.stayIn(owner.wallet))
    const stranger = await service.signIn()
    const moderator = await service.signIn(operator)
    for (const { call } of [stranger, moderator]) {
      const asked = await call('POST', secretPath(owner))
      expect([asked.status, asked.body.code]).toEqual([404, 'endpoint_not_found'])
      const body = { webhookUrl: 'https://thief.example.com/' }
      const set = await call('PATCH', `/agents/${owner.agent.id}`, { body })
      expect(set.status).toBeGreaterThanOrEqual(403)
      expect(set.text).not.toContain('whsec_')
    }
    const suspended = { body: { status: 'suspended', reason: 'Phishing' } }
    const moderated = await moderator.call('PATCH', `/agents/${owner.agent.id}`, suspended)
    expect([moderated.status, moderated.body.webhookSecret]).toEqual([200, undefined])
    // Nor is one made for an agent without a webhook, or for none.
    for (const id of [bare.id, crypto.randomUUID()])
      expect((await owner.call('POST', `/events/endpoints/${id}/secret`)).status).toBe(404)
    expect(await secretsOf(owner)).toEqual([])
    expect(await rowsOf('select from agent_webhook_secrets where agent_id = $1', bare.id)).toEqual([])
  })

  it('is shown to one of many calls that set the first webhookUrl at once', async () => {
    const owner = await createFormerAgent()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => change(owner, { webhookUrl: owner.url })),
    )
    const secrets = answers.flatMap(({ webhookSecret }) => webhookSecret ?? [])
    expect(secrets).toHaveLength(1)
    expect(accepts(await tested(owner), secrets[0])).toEqual([true, true])
  })

  it('is in no later answer, event, log or row of the database', async () => {
    const owner = await inbox.createAgent()
    await inbox.until(owner.url, 1)
    const rotated = await owner.call('POST', secretPath(owner))
    const { agent } = owner
    await tested(owner)
    const paths = [
      ...[`/agents/${agent.id}`, '/agents', '/events', '/events/deliveries', '/events/endpoints'],
      ...[`/events/endpoints/${agent.id}`, `/events/endpoints/${agent.id}/attempts`],
    ]
    const answers = await Promise.all(paths.map((path) => owner.call('GET', path)))
    answers.push(await owner.call('PATCH', `/agents/${agent.id}`, { webhookUrl: owner.url }))
    const tables = await rowsOf(`select tablename from pg_tables where schemaname = 'public'`)
    const dump = await service.database.engine.run(
      tables.map(([name]) => ({ query: `select t::text from "${name}" as t`, params: [] })),
    )
    const everything = [
      ...answers.map(({ text }) => text),
      ...service.logs.texts,
      ...inbox.of(owner.url).map(({ bytes }) => bytes.toString()),
      JSON.stringify(dump.map(({ rows }) => rows)),
    ].join('\n')
    expect(everything).toContain(agent.id)
    expect(everything).not.toContain('whsec_')
    for (const text of [agent.webhookSecret, rotated.body.secret]) {
      const secret = String(text).slice('whsec_'.length)
      expect(secret).toHaveLength(32)
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(Buffer.from(secret, 'base64').toString('hex'))
    }
  })
})

it('an agent is saved without a secret while jobs can make none, and gets one later', async () => {
  const { call, wallet } = await service.signIn()
  const former = await createFormerAgent()
  await service.redeploy({ WEBHOOK_SECRETS_KEY: 'nonsense' })
  const body = registration({ webhookUrl: 'https://down-hooks.example.com/' })
  const registered = await call('POST', '/agents/register', { body })
  expect([registered.status, registered.body.webhookUrl]).toEqual([201, body.webhookUrl])
  expect(registered.body).not.toHaveProperty('webhookSecret')
  expect(await change(former, { webhookUrl: former.url })).toMatchObject({ webhookUrl: former.url })
  const path = `/events/endpoints/${registered.body.id}/secret`
  const refused = await call('POST', path)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const said = service.logs.texts.filter((text) => text.includes('"secrets":"make"'))
  expect(said).toHaveLength(2)
  expect(said.join()).not.toContain('nonsense')
  await service.redeploy({})
  expect((await service.stayIn(wallet)('POST', path)).body.secret).toMatch(SECRET)
  expect((await change(former, { webhookUrl: former.url })).webhookSecret).toMatch(SECRET)
})
