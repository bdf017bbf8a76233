import { expect, it, vi } from 'vitest'
import { webhookEndpoints, webhooks } from '../../lib/cli/demo/webhooks.ts'
import { baseUrlOf, clientOf, platformVariables, startPlatform } from '../support/platform.ts'

/** What an action prints. */
async function printedBy(action: () => Promise<void>): Promise<string> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await action()
    return log.mock.calls.join('\n')
  } finally {
    log.mockRestore()
  }
}

it('refuses webhooks to this machine with ALLOW_LOCAL_WEBHOOKS=0', async () => {
  const { env } = await startPlatform(platformVariables({ ALLOW_LOCAL_WEBHOOKS: '0' }))
  const client = clientOf(env)
  const register = (webhookUrl: string) =>
    client.call('POST /agents/register', {
      body: { name: 'Listener', agentType: 'autonomous', supportedLayers: [1], webhookUrl },
    })
  const { id } = await register('https://hooks.example.com/agentcred')
  for (const webhookUrl of [
    'http://localhost',
    'http://localhost:3000/hook',
    'http://127.0.0.1:3000/hook',
    'https://localhost:3000/hook',
    'https://127.0.0.1/hook',
    'http://[::1]:3000/hook',
    'http://hooks.example.com/agentcred',
  ]) {
    const refusal = { status: 400, errors: [{ path: 'webhookUrl' }] }
    await expect(register(webhookUrl)).rejects.toMatchObject(refusal)
    const moved = client.call('PATCH /agents/{id}', { path: { id }, body: { webhookUrl } })
    await expect(moved).rejects.toMatchObject(refusal)
  }
  // The two steps of the demo that a refusal must not stop.
  expect(await printedBy(() => webhooks(baseUrlOf(env)))).toMatch(
    /A webhook on this machine is rejected.*ALLOW_LOCAL_WEBHOOKS=1/s,
  )
  expect(await printedBy(() => webhookEndpoints(baseUrlOf(env)))).toContain('ALLOW_LOCAL_WEBHOOKS=1')
})
