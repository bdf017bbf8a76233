import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyTo } from '../support/clone.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { baseUrlOf, clientOf, platformVariables, startPlatform } from '../support/platform.ts'
import { CLOSED_PORT } from '../support/process.ts'

/** Spaces, a letter outside ASCII, and characters of globs. Node itself fails below a percent sign. */
const NAME = 'agent cred ü [x] (1)'

// The proxy does not answer: what is asked of it fails.
const PROXY = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${CLOSED_PORT}` }

it('builds and serves in a folder with spaces in its name, when a proxy is set', async () => {
  const root = join(temporaryFolder(), NAME)
  copyTo(root)
  const platform = await startPlatform(platformVariables({ DATA_DIR: '', ...PROXY }), ['--fresh'], root)
  const { env } = platform
  expect(platform.output()).toContain(`state        ${join(root, '.data')}\n`)
  const client = clientOf(env)
  const body = { name: 'Test agent', agentType: 'autonomous' as const, supportedLayers: [1] }
  const { id } = await client.call('POST /agents/register', { body })
  expect((await client.call('GET /agents')).agents.map((agent) => agent.id)).toEqual([id])
  const { origin } = new URL(baseUrlOf(env))
  for (const path of ['/console/', '/v1/docs', '/v1/openapi.json'])
    expect((await fetch(origin + path)).status, path).toBe(200)
  expect(await platform.stop()).toBe(0)
})
