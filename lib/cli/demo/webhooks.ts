import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { type ReceiverProcess, startReceiver } from './receiver-process.ts'
import { expect, heading, hint, show, until } from './telling.ts'

/** Delivers an agent's events to a local webhook, if the platform was started with ALLOW_LOCAL_WEBHOOKS=1. */
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
  const anyone = createClient(baseUrl)
  show(await expect(200, 'It has read the keys that sign them', anyone('GET', '/events/keys')))

  heading('An agent with that webhook is registered and hired, and the hire is ended')
  const asDeveloper = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const asUser = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const registered = await asDeveloper('POST', '/agents/register', {
    name: 'Event Listener',
    agentType: 'autonomous',
    supportedLayers: [17],
    webhookUrl: receiver.url,
  })
  const { errors = [] } = registered.body
  if (valuesOf(errors, 'path').includes('webhookUrl')) {
    await expect(400, 'A webhook on this machine is refused', registered)
    show(errors)
    return hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see webhooks arrive.')
  }
  const agent = await expect(201, 'It is registered', registered)
  const hire = await expect(201, 'It is hired', asUser('POST', '/agents/hire', { agentId: agent.id }))
  await expect(200, 'The hire is ended', asUser('DELETE', `/agents/hire?id=${hire.id}`))

  heading('Its webhook receives the events')
  const idOf = (type: string) => receiver.received.find((event) => event.type === type)?.id ?? ''
  for (const type of ['agent.registered', 'hire.created', 'hire.terminated']) {
    await until(`The receiver has ${type}, its signature verified`, () => idOf(type) !== '')
  }
  for (const { id, type, data } of receiver.received) show({ id, type, data })

  heading('Both sides can read the events')
  const told = receiver.received.map(({ id }) => id)
  const logged = async (asWallet: typeof anyone) =>
    valuesOf((await asWallet('GET', '/events')).body.events, 'id')
  await until('The developer’s log has the same events', async () => isSame(await logged(asDeveloper), told))
  const ofHire = [idOf('hire.created'), idOf('hire.terminated')]
  await until('The user’s has those of the hire', async () => isSame(await logged(asUser), ofHire))
  await until('Each is recorded as delivered', async () => {
    const { body } = await asDeveloper('GET', '/events/deliveries?status=delivered')
    return isSame(valuesOf(body.deliveries, 'eventId'), told)
  })
  const { deliveries } = await expect(
    200,
    'The deliveries are listed',
    asDeveloper('GET', '/events/deliveries?limit=1'),
  )
  show(deliveries)

  heading('An event is sent again')
  const id = idOf('hire.created')
  await expect(
    404,
    'The hirer cannot ask for an event of the developer alone',
    asUser('POST', `/events/${idOf('agent.registered')}/replay`),
  )
  await expect(202, 'The developer asks for it', asDeveloper('POST', `/events/${id}/replay`))
  await until('It arrives with the same id', () => receiver.repeated.includes(id))
}

/** Returns one member of every item of a list. */
const valuesOf = (list: unknown, name: string): unknown[] =>
  (list as Record<string, unknown>[]).map((item) => item[name])

/** Tells whether two lists have the same items. Webhooks arrive in any order. */
const isSame = (list: unknown[], other: unknown[]): boolean =>
  list.length === other.length && list.every((item) => other.includes(item))
