import { AgentCredError, createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { startReceiver } from './receiver-process.ts'
import { heading, hint, refused, show, step, until } from './telling.ts'

/**
 * Makes a webhook endpoint with a secret of its own, tests it and rotates its secret, unless the platform was
 * started with ALLOW_LOCAL_WEBHOOKS=0.
 */
export async function webhookEndpoints(baseUrl: string) {
  heading('A wallet makes an endpoint for the events of its log')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  // Its secret is known only when the endpoint is, so the receiver's port is taken first, and given back.
  const probe = await startReceiver({ keysUrl: `${baseUrl}/events/keys` })
  await probe.stop()
  const { url } = probe
  const wanted = { url, eventTypes: ['agent.registered' as const] }
  const made = await asOwner.call('POST /events/endpoints', { body: wanted }).catch(refusalOf)
  if (!made) return hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see it at work.')
  const { secret, ...endpoint } = await step('It is made, its secret shown this once', Promise.resolve(made))
  show(endpoint)
  const mistyped: object = { eventTypes: ['agent.registred'] }
  const misread = asOwner.call('POST /events/endpoints', { body: { url, ...mistyped } })
  await refused('invalid_request', 'One that listens to a type that does not exist is refused', misread)

  heading('A receiver that has its secret verifies what it is sent')
  const receiver = await startReceiver({ secret, port: new URL(url).port })
  const hasArrived = (type: string) => () => receiver.received.some((event) => event.type === type)
  try {
    const path = { id: endpoint.id }
    await step('A test event is asked for', asOwner.call('POST /events/endpoints/{id}/test', { path }))
    await until('The receiver has it, its v1 signature verified', hasArrived('endpoint.test'))
    const rotation = asOwner.call('POST /events/endpoints/{id}/secret', { path })
    const rotated = await step('The secret is rotated', rotation)
    show({ previousSecretEndsAt: rotated.previousSecretEndsAt })
    const body = { name: 'Much Heard Of', agentType: 'autonomous' as const, supportedLayers: [10] }
    await step('An agent is registered', asOwner.call('POST /agents/register', { body }))
    await until('The receiver verifies that by the old secret still', hasArrived('agent.registered'))
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

/** A platform that sends no webhooks to this machine refuses the URL. */
function refusalOf(error: unknown): undefined {
  if (error instanceof AgentCredError && error.code === 'invalid_request') return undefined
  throw error
}
