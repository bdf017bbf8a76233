import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLocalChain } from '../../lib/cli/solana/local-chain.ts'
import type { Delivery } from '../../lib/client/index.ts'
import { type BuiltWorker, buildWorkers } from '../../lib/local/build.ts'
import { createDatabase } from '../support/database.ts'
import { baseUrlOf, clientOf, start, usePlatform } from '../support/platform.ts'
import { CLOSED_PORT, type Script } from '../support/process.ts'

type Environment = (typeof platform)['env']
type Event = { id: string; type: string; timestamp: string; data: Record<string, unknown> }

let database: Awaited<ReturnType<typeof createDatabase>>
const platform = usePlatform(async () => {
  database = await createDatabase()
  return { DATABASE_URL: database.url }
})
afterAll(() => database?.close())

const HOUR = 3_600_000
/** Far more than anything here takes. */
const PATIENCE = { timeout: 180_000, interval: 100 }

/** `npm run receiver` on the platform's keys, listening. */
async function startReceiver(env: Environment, ...args: string[]): Promise<Script> {
  const script = start('receiver', {}, ['--keys', `${baseUrlOf(env)}/events/keys`, ...args])
  await script.printed('listening')
  return script
}

/** The lines of JSON that a receiver has printed. */
const linesOf = (receiver: Script): { listening?: string; received?: Event; repeated?: string }[] =>
  receiver
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const eventsOf = (receiver: Script) => linesOf(receiver).flatMap(({ received }) => received ?? [])
const urlOf = (receiver: Script) => linesOf(receiver)[0]?.listening ?? ''

/** A port that stays this test's own, in front of a receiver or of nobody. */
async function openDoor(to: string) {
  let target: string | undefined = to
  const server = createServer((incoming) => {
    if (target === undefined) incoming.destroy()
    else pipeline(incoming, connect(Number(new URL(target).port), '127.0.0.1'), incoming, () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Connections from now on go there, or are closed at once. */
    leadTo(url: string | undefined) {
      target = url
    },
  }
}

function signIn(env: Environment) {
  const client = clientOf(env)
  const deliveries = async () => (await client.call('GET /events/deliveries')).deliveries
  return {
    client,
    deliveries,
    register: (webhookUrl: string) =>
      client.call('POST /agents/register', {
        body: { name: 'Listener', agentType: 'autonomous', supportedLayers: [1], webhookUrl },
      }),
    moveTo: (id: string, webhookUrl: string) =>
      client.call('PATCH /agents/{id}', { path: { id }, body: { webhookUrl } }),
    /** The newest delivery, once it is as it should be. */
    delivery: (expected: Partial<Delivery>) =>
      vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject(expected), PATIENCE),
  }
}

describe('webhooks of the local platform', () => {
  it('reach a receiver on this machine, signed, and again after it was down', async () => {
    const { env } = platform
    const owner = signIn(env)
    const hirer = signIn(env)

    const receiver = await startReceiver(env)
    const door = await openDoor(urlOf(receiver))
    const agent = await owner.register(door.url)
    await vi.waitFor(() => expect(eventsOf(receiver)).toHaveLength(1), PATIENCE)
    await owner.delivery({ type: 'agent.registered', status: 'delivered', lastResponseCode: 204 })
    const { events } = await owner.client.call('GET /events')
    expect(eventsOf(receiver)).toEqual(events)
    expect(await receiver.stop()).toBe(0)

    door.leadTo(undefined)
    const hire = await hirer.client.hire({ agentId: agent.id })
    await owner.delivery({ type: 'hire.created', status: 'pending', lastResponseCode: 521 })
    const late = await startReceiver(env)
    door.leadTo(urlOf(late))
    const [missed] = await owner.deliveries()
    // The first retry comes after 5 seconds, the next after 5 minutes: a very busy machine may have missed
    // the first.
    if (missed && missed.attempts > 1)
      await owner.client.call('POST /events/{id}/replay', { path: { id: missed.eventId } })
    await vi.waitFor(() => expect(eventsOf(late)).toMatchObject([{ type: 'hire.created' }]), PATIENCE)
    await owner.delivery({ type: 'hire.created', status: 'delivered' })

    // The platform's clock is ahead now, and the receiver's is not.
    const timeless = await startReceiver(env, '--any-time')
    await openLocalChain(`http://localhost:${env.SOLANA_RPC_PORT}`).travel(HOUR)
    await hirer.client.call('DELETE /agents/hire', { query: { id: hire.id } })
    await late.printed('refused: webhook-timestamp is more than 300 seconds off')
    await owner.delivery({ type: 'hire.terminated', status: 'pending', lastResponseCode: 401 })
    expect(eventsOf(late)).toHaveLength(1)
    await owner.moveTo(agent.id, urlOf(timeless))
    await owner.delivery({ type: 'hire.terminated', status: 'failed' })
    const { id, registeredAt: since } = agent
    await owner.client.call('POST /events/endpoints/{id}/recover', { path: { id }, body: { since } })
    await vi.waitFor(() => expect(eventsOf(timeless)).toMatchObject([{ type: 'hire.terminated' }]), PATIENCE)
    await owner.delivery({ type: 'hire.terminated', status: 'delivered' })
  })
})

describe('a webhook on this machine', () => {
  const hasLocalRule = (script: string) => script.includes('LOCAL_HOSTS')

  it.each(['agents', 'events', 'jobs'])(
    'is allowed by the local %s Worker alone, when its setting allows it',
    async (group) => {
      const scriptOf = (workers: BuiltWorker[]) =>
        workers.find((worker) => worker.group === group)?.script ?? ''
      const usual = scriptOf(await buildWorkers())
      expect(usual).toContain('isWebhookUrl')
      expect(hasLocalRule(usual)).toBe(false)
      expect(hasLocalRule(scriptOf(await buildWorkers({ allowLocalWebhooks: true })))).toBe(true)
    },
  )
})

describe('npm run receiver', () => {
  it('explains an invalid command line, and a URL that does not answer', async () => {
    const nowhere = `http://127.0.0.1:${CLOSED_PORT}/v1/events/keys`
    for (const [code, ...args] of [
      [2, nowhere],
      [1, '--keys', nowhere],
    ] as const) {
      const receiver = start('receiver', {}, args)
      expect(await receiver.ended, args.join(' ')).toBe(code)
      expect(receiver.output()).toContain(code === 2 ? 'npm run receiver -- --keys' : nowhere)
    }
  })
})
