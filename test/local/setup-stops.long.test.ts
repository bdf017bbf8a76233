import { expect, it } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { type Call, type Cloud, startCloud } from '../support/cloud/cloud.ts'
import type { Values } from '../support/cloud/in-process.ts'
import { devnetNode } from '../support/cloud/node.ts'
import { WITH_QUEUES } from '../support/cloud/releases.ts'
import { endState, isWranglers, newCloud } from '../support/cloud/setups.ts'
import { stopAtEveryCall } from '../support/cloud/stops.ts'
import { reroute } from '../support/cloud/upgrades.ts'

/** Reads are the same each time; of changes each is one of its own. A login has another body each time. */
function keyOf(call: Call): string | undefined {
  if (isWranglers(call)) return undefined
  return call.name.startsWith('service') ? call.name : `${call.name} ${call.body}`
}

/** Returns a setup of this process on a cloud. Its runs return why they stopped. */
function setupOn(cloud: Cloud, env: Record<string, string> = {}) {
  reroute(() => cloud)
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const command = { folder, env: { ...cloud.env, ...env }, say: () => {}, source: WITH_QUEUES }
  return async (values: Values = {}) => {
    // A stopped run must not go on when a call of it has timed out.
    const stopped = await setUp(command, readSetup({ timeout: '600', ...values }, folder)).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { stopped }
  }
}

it('makes everything once when stopped before every own call and after every change', async () => {
  const cloud = await newCloud()
  const run = setupOn(cloud)
  const stops = await stopAtEveryCall(cloud, () => run(), keyOf)
  expect(stops).toBeGreaterThan(20)
  const { workers, queues, made } = endState(cloud)
  expect(workers.map(({ name }) => name)).toEqual(['agentcred-jobs', 'agentcred-mcp', 'agentcred-root'])
  expect(queues).toEqual([
    ['agentcred-dead', 1],
    ['agentcred-deliveries', 1],
  ])
  expect(made).toEqual({ namespaces: 1, queues: 2, subdomains: 1, projects: 1 })
})

it('deploys what the first run was asked for when later runs get no options', async () => {
  const env = await devnetNode()
  const cloud = await startCloud()
  cloud.cloudflare.records.add('api.acme.test')
  const run = setupOn(cloud, env)
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  let values: Values = {
    ...{ name: 'acme', domain: 'api.acme.test', topology: 'routes', solana: 'devnet', live: 'off' },
    ...{ region: 'aws-us-east-2', var: ['CODE=a=b'] },
  }
  const next = () => {
    const given = values
    values = {}
    return run(given)
  }
  // From then on the deployment's file has all of it.
  const isKept = () => folder.read('deployment.json') !== undefined
  const stops = await stopAtEveryCall(cloud, next, (call) => (isKept() ? undefined : keyOf(call)))
  expect(stops).toBeGreaterThan(15)
  expect(folder.deployment()).toMatchObject({
    ...{ name: 'acme', host: 'api.acme.test', publisher: 'acme.test', topology: 'routes' },
    ...{ solana: 'solana:devnet', live: 'off', clockLocation: 'enam' },
    vars: { CODE: 'a=b', VAULT_MINT: env.VAULT_MINT },
  })
  expect(cloud.neon.projects).toMatchObject([{ name: 'acme', region_id: 'aws-us-east-2' }])
  const { workers, queues, made } = endState(cloud)
  expect(workers.map(({ name }) => name)).toEqual(['acme-jobs', 'acme-mcp', 'acme-root'])
  expect(queues.map(([name]) => name)).toEqual(['acme-dead', 'acme-deliveries'])
  expect(made).toEqual({ namespaces: 1, queues: 2, subdomains: 0, projects: 1 })
})
