import { AgentCredError, type Client, createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, hint, refused, show, step, until } from './output.ts'
import { type ReceiverProcess, startReceiver } from './receiver-process.ts'

/**
 * Delivers an agent's events to a local webhook, unless the platform was started with
 * ALLOW_LOCAL_WEBHOOKS=0.
 */
export async function webhooks(baseUrl: string) {
  heading('A receiver for webhooks starts')
  const receiver = await startReceiver({ keysUrl: `${baseUrl}/events/keys` })
  try {
    await walk(receiver, baseUrl)
  } finally {
    await receiver.stop()
  }
}

async function walk(receiver: ReceiverProcess, baseUrl: string) {
  show({ url: receiver.url })
  const keys = createClient({ baseUrl }).call('GET /events/keys')
  show(await step('It has read the service’s public keys', keys))

  heading('An agent with that webhook is registered and hired, and the hire is ended')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asUser = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const registered = offerAgent(asDeveloper, {
    name: 'Event Listener',
    agentType: 'autonomous',
    supportedLayers: [17],
    webhookUrl: receiver.url,
  })
  if (await isRefused(registered, 'webhookUrl')) {
    show((await refused('invalid_request', 'A webhook on this machine is rejected', registered)).errors)
    return hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see webhooks arrive.')
  }
  const agent = await step('It is registered', registered)
  const hire = await step('It is hired', asUser.hire({ agentId: agent.id }))
  await step('The hire is ended', asUser.call('DELETE /agents/hire', { query: { id: hire.id } }))

  heading('Its webhook receives the events')
  const idOf = (type: string) => receiver.received.find((event) => event.type === type)?.id ?? ''
  for (const type of ['agent.registered', 'hire.created', 'hire.terminated']) {
    await until(`The receiver has ${type}, its signature verified`, () => idOf(type) !== '')
  }
  for (const { id, type, data } of receiver.received) show({ id, type, data })

  heading('Both sides can read the events')
  const receivedIds = receiver.received.map(({ id }) => id)
  const logged = async (client: Client) => (await client.call('GET /events')).events.map(({ id }) => id)
  await until('The developer’s log has the same events', async () =>
    isSame(await logged(asDeveloper), receivedIds),
  )
  const ofHire = [idOf('hire.created'), idOf('hire.terminated')]
  await until('The user’s has those of the hire', async () => isSame(await logged(asUser), ofHire))
  await until('Each is recorded as delivered', async () => {
    const query = { status: 'delivered' as const }
    const { deliveries } = await asDeveloper.call('GET /events/deliveries', { query })
    return isSame(
      deliveries.map(({ eventId }) => eventId),
      receivedIds,
    )
  })
  const listed = asDeveloper.call('GET /events/deliveries', { query: { limit: 1 } })
  show((await step('The deliveries are listed', listed)).deliveries)

  heading('An event is sent again')
  const id = idOf('hire.created')
  await refused(
    'event_not_found',
    'The hirer cannot replay an event of the developer',
    asUser.call('POST /events/{id}/replay', { path: { id: idOf('agent.registered') } }),
  )
  await step('The developer replays it', asDeveloper.call('POST /events/{id}/replay', { path: { id } }))
  await until('It arrives with the same id', () => receiver.repeated.includes(id))

  heading('A receiver with the agent’s secret verifies with it')
  await receiver.stop()
  // Only the answer to the registration shows the secret.
  const secret = agent.webhookSecret ?? ''
  const bySecret = await startReceiver({ secret, port: new URL(receiver.url).port })
  try {
    await step('The event is sent again', asDeveloper.call('POST /events/{id}/replay', { path: { id } }))
    await until('Its v1 signature is verified', () => bySecret.received.some((event) => event.id === id))
    const path = { id: agent.id }
    const rotation = asDeveloper.call('POST /events/endpoints/{id}/secret', { path })
    show({ previousSecretEndsAt: (await step('The secret is rotated', rotation)).previousSecretEndsAt })
  } finally {
    await bySecret.stop()
  }
}

/** Returns whether the service refuses a request because of one of its fields. */
export const isRefused = (request: Promise<unknown>, field: string): Promise<boolean> =>
  request.then(
    () => false,
    (error) => error instanceof AgentCredError && error.errors.some(({ path }) => path === field),
  )

/** Returns whether two lists have the same items. Webhooks arrive in any order. */
const isSame = (list: unknown[], other: unknown[]): boolean =>
  list.length === other.length && list.every((item) => other.includes(item))

/**
 * Makes a webhook endpoint with a secret of its own, tests it and rotates its secret, unless the platform was
 * started with ALLOW_LOCAL_WEBHOOKS=0.
 */
export async function webhookEndpoints(baseUrl: string) {
  heading('A wallet makes an endpoint for the events of its log')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  // The secret is known only after the endpoint is made. So reserve the receiver's port first, and release
  // it.
  const probe = await startReceiver({ keysUrl: `${baseUrl}/events/keys` })
  await probe.stop()
  const { url } = probe
  const wanted = { url, eventTypes: ['agent.registered' as const] }
  const made = await asOwner.call('POST /events/endpoints', { body: wanted }).catch(refusalOf)
  if (!made) return hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see this.')
  const { secret, ...endpoint } = await step('It is made, and its secret shown once', Promise.resolve(made))
  show(endpoint)
  const mistyped: object = { eventTypes: ['agent.registred'] }
  const misread = asOwner.call('POST /events/endpoints', { body: { url, ...mistyped } })
  await refused('invalid_request', 'An endpoint for an unknown event type is rejected', misread)

  heading('A receiver with its secret verifies the webhooks')
  const receiver = await startReceiver({ secret, port: new URL(url).port })
  const hasArrived = (type: string) => () => receiver.received.some((event) => event.type === type)
  try {
    const path = { id: endpoint.id }
    await step('A test event is sent', asOwner.call('POST /events/endpoints/{id}/test', { path }))
    await until('The receiver has it, its v1 signature verified', hasArrived('endpoint.test'))
    const rotation = asOwner.call('POST /events/endpoints/{id}/secret', { path })
    const rotated = await step('The secret is rotated', rotation)
    show({ previousSecretEndsAt: rotated.previousSecretEndsAt })
    const body = { name: 'Much Heard Of', agentType: 'autonomous' as const, supportedLayers: [10] }
    await step('An agent is registered', offerAgent(asOwner, body))
    await until('The receiver still verifies with the old secret', hasArrived('agent.registered'))
    await until('Both attempts are listed', async () => {
      const { count } = await asOwner.call('GET /events/endpoints/{id}/attempts', { path })
      return count === 2
    })
    const pause = asOwner.call('PATCH /events/endpoints/{id}', { path, body: { enabled: false } })
    const paused = await step('The endpoint is paused', pause)
    show({ enabled: paused.enabled, disabledReason: paused.disabledReason })
    await step('It is deleted', asOwner.call('DELETE /events/endpoints/{id}', { path }))
  } finally {
    await receiver.stop()
  }
}

/** Ignores the refusal of the URL by a platform that sends no webhooks to this machine. */
function refusalOf(error: unknown): undefined {
  if (error instanceof AgentCredError && error.code === 'invalid_request') return undefined
  throw error
}
