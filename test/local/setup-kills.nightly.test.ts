import { expect, it } from 'vitest'
import { expectNoSecrets, isWranglers, killAtEveryCall, newCloud, setupsOf } from '../support/cloud/setups.ts'

it('makes everything once when killed before every own call and after every change', async () => {
  const cloud = await newCloud()
  const setups = setupsOf(cloud)
  // Reads are the same each time; of changes each is one of its own.
  const keyOf = ({ name, body }: { name: string; body: string }) => `${name} ${body}`
  const killed = await killAtEveryCall(cloud, setups, keyOf, isWranglers)
  expect(killed).toBeGreaterThan(20)
  expect({ ...cloud.cloudflare.made, projects: cloud.neon.made }).toEqual({
    namespaces: 2,
    queues: 4,
    subdomains: 1,
    projects: 1,
  })
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
      `^setup stopped: process ${child.pid} is using the deployment in ${cloud.folder}: wait until it has ended, and run this again`,
    ),
  )
  process.kill(-Number(child.pid), 'SIGKILL')
})
