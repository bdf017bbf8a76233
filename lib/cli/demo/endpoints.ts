import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { startReceiver } from './receiver-process.ts'
import { expect, heading, hint, show, until } from './telling.ts'

/**
 * Makes an endpoint with a secret of its own, tests it and rotates its secret, if the platform was started
 * with ALLOW_LOCAL_WEBHOOKS=1.
 */
export async function endpoints(baseUrl: string) {
  heading('A wallet makes an endpoint for the events of its log')
  const asOwner = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  // Its secret is known only when the endpoint is, so the receiver's port is taken first, and given back.
  const probe = await startReceiver({ keysUrl: `${baseUrl}/events/keys` })
  await probe.stop()
  const made = await asOwner('POST', '/events/endpoints', {
    url: probe.url,
    eventTypes: ['agent.registered'],
  })
  if (made.status === 400) return hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see it at work.')
  const { secret, ...endpoint } = await expect(201, 'It is made, its secret shown this once', made)
  show(endpoint)
  await expect(
    400,
    'One that listens to a type that does not exist is refused',
    asOwner('POST', '/events/endpoints', { url: probe.url, eventTypes: ['agent.registred'] }),
  )

  heading('A receiver that has its secret verifies what it is sent')
  const receiver = await startReceiver({ secret: String(secret), port: new URL(probe.url).port })
  const hasArrived = (type: string) => () => receiver.received.some((event) => event.type === type)
  try {
    const path = `/events/endpoints/${endpoint.id}`
    await expect(202, 'A test event is asked for', asOwner('POST', `${path}/test`))
    await until('The receiver has it, its v1 signature verified', hasArrived('endpoint.test'))
    const rotated = await expect(200, 'The secret is rotated', asOwner('POST', `${path}/secret`))
    show({ previousSecretEndsAt: rotated.previousSecretEndsAt })
    await expect(
      201,
      'An agent is registered',
      asOwner('POST', '/agents/register', {
        name: 'Much Heard Of',
        agentType: 'autonomous',
        supportedLayers: [10],
      }),
    )
    await until('The receiver verifies that by the old secret still', hasArrived('agent.registered'))
    await until('Both attempts are listed', async () => {
      const { body } = await asOwner('GET', `${path}/attempts`)
      return body.count === 2
    })
    const paused = await expect(200, 'The endpoint is paused', asOwner('PATCH', path, { enabled: false }))
    show({ enabled: paused.enabled, disabledReason: paused.disabledReason })
    await expect(200, 'It is deleted', asOwner('DELETE', path))
  } finally {
    await receiver.stop()
  }
}
