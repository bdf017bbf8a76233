import { expect, it } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { DONE, endState, expectNoSecrets, killAtEveryCall, setupsOf } from '../support/cloud/setups.ts'

/** An account without a name below workers.dev, so that it is made, too. */
async function newCloud(): Promise<Cloud> {
  const cloud = await startCloud()
  cloud.cloudflare.subdomain = undefined
  return cloud
}

const isWranglers = ({ name }: { name: string }) =>
  /\/workers\/(scripts|services|workers|assets)\/|\/queues\?|\/consumers/.test(name)

it('makes everything once when it is killed before every call of its own, and after every change', async () => {
  const cloud = await newCloud()
  const setups = setupsOf(cloud)
  // Reads are the same each time; of changes each is one of its own.
  const keyOf = ({ name, body }: { name: string; body: string }) => `${name} ${body}`
  const killed = await killAtEveryCall(cloud, setups, keyOf, isWranglers)
  expect(killed).toBeGreaterThan(20)
  expect({ ...cloud.cloudflare.made, projects: cloud.neon.made }).toEqual({
    namespaces: 1,
    queues: 4,
    subdomains: 1,
    projects: 1,
  })
  expectNoSecrets(cloud, setups)
})

it('ends the same when it is killed before every kind of call of wrangler’s, and after every kind of change', async () => {
  const cloud = await newCloud()
  const setups = setupsOf(cloud)
  expect(await setups.run()).toContain(DONE)
  const expected = endState(cloud)
  // As after a run that was killed before these, one of each kind: with assets, with queues, public.
  for (const group of ['jobs', 'protocols', 'root']) cloud.cloudflare.scripts.delete(`agentcred-${group}`)
  for (const { consumers } of cloud.cloudflare.queues.values()) consumers.length = 0
  // What wrangler asks is the same for every Worker: the first one that it asks it for is enough.
  const ofWorker = (name: string) => name.replace(/(scripts|services|workers)\/agentcred-\w+/, '$1/<worker>')
  const keyOf = (call: { name: string; body: string }) =>
    isWranglers(call) || call.name.startsWith('service') ? ofWorker(call.name) : undefined
  const killed = await killAtEveryCall(cloud, setups, keyOf)
  expect(killed).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expectNoSecrets(cloud, setups)
})

it('lets one process at a time work on a deployment', async () => {
  const cloud = await newCloud()
  const setups = setupsOf(cloud)
  let first: (() => void) | undefined
  const reached = new Promise<void>((resolve) => {
    first = resolve
  })
  cloud.faults.before = () => {
    first?.()
    return 'hang'
  }
  const { child } = setups.begin()
  await reached
  expect(await setups.run()).toMatch(
    new RegExp(
      `^setup stopped: process ${child.pid} is at work on the deployment in ${cloud.folder}: wait until it has ended, and run this again`,
    ),
  )
  process.kill(-Number(child.pid), 'SIGKILL')
})
