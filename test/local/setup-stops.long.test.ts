import { expect, it } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import type { Call } from '../support/cloud/cloud.ts'
import { WITH_QUEUES } from '../support/cloud/releases.ts'
import { endState, isWranglers, newCloud } from '../support/cloud/setups.ts'
import { stopAtEveryCall } from '../support/cloud/stops.ts'
import { reroute } from '../support/cloud/upgrades.ts'

/** Reads are the same each time; of changes each is one of its own. A login has another body each time. */
function keyOf(call: Call): string | undefined {
  if (isWranglers(call)) return undefined
  return call.name.startsWith('service') ? call.name : `${call.name} ${call.body}`
}

it('makes everything once when stopped before every own call and after every change', async () => {
  const cloud = await newCloud()
  reroute(() => cloud)
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const run = async () => {
    const command = { folder, env: cloud.env, say: () => {}, source: WITH_QUEUES }
    // A stopped run must not go on when a call of it has timed out.
    const options = readSetup({ timeout: '600' }, folder)
    const stopped = await setUp(command, options).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { stopped }
  }
  const stops = await stopAtEveryCall(cloud, run, keyOf)
  expect(stops).toBeGreaterThan(20)
  const { workers, queues, made } = endState(cloud)
  expect(workers.map(({ name }) => name)).toEqual(['agentcred-jobs', 'agentcred-mcp', 'agentcred-root'])
  expect(queues).toEqual([
    ['agentcred-dead', 1],
    ['agentcred-deliveries', 1],
  ])
  expect(made).toEqual({ namespaces: 1, queues: 2, subdomains: 1, projects: 1 })
})
