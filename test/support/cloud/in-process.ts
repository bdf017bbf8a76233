import { beforeEach, onTestFinished, vi } from 'vitest'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { type Cloud, startCloud } from './cloud.ts'
import { wholeService } from './releases.ts'

export type Values = Parameters<typeof readSetup>[0]

/**
 * Runs setups in this process, each test's on a cloud of its own.
 * @param source the code to deploy: by default stub Workers, since wrangler bundles real ones for seconds
 */
export function inProcess(source = wholeService('1.0.0')) {
  let cloud: Cloud
  beforeEach(async () => {
    cloud = await startCloud()
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      typeof url === 'string' ? fetch(...cloud.rerouted(url, init)) : fetch(url, init),
    )
    onTestFinished(() => void vi.unstubAllGlobals())
  })
  return {
    cloud: () => cloud,
    /** @returns what it said, and why it stopped */
    async run(values: Values = {}, env: Record<string, string> = {}) {
      const lines: string[] = []
      const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
      const say = (line: string) => lines.push(line)
      const command = { folder, env: { ...cloud.env, ...env }, say, source }
      const stopped = await Promise.try(() => setUp(command, readSetup(values, folder))).then(
        () => undefined,
        (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
      )
      return { said: lines.join('\n'), stopped }
    },
    /** The calls that change something. */
    changes: () => cloud.calls.filter(({ name }) => !/^\w+ GET /.test(name) && !name.startsWith('service')),
  }
}

export const cloudflareError = (status: number, code: number, message: string) =>
  Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status })
