import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Call, type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { SECOND } from '../support/cloud/releases.ts'
import { killAtEveryCall, setupsOf, UPGRADE } from '../support/cloud/setups.ts'
import { beginWith, deployFirst, endState, reroute, runUpgrade } from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

it('ends the same when it is killed before every call, and after every change', async () => {
  const first = await deployFirst(cloud)
  expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
  const expected = endState(cloud)
  expect(expected['agentcred-mcp']).toMatchObject({ shares: [[1, 100]], versions: 2 })

  await beginWith(cloud, first)
  const upgrades = setupsOf(cloud, UPGRADE)
  // The same call is another one where a run makes it a second time.
  let run = 0
  let seen: string[] = []
  const keyOf = ({ name }: Call) => {
    if (run !== upgrades.outputs.length) seen = []
    run = upgrades.outputs.length
    seen.push(name)
    return `${name} ${seen.filter((one) => one === name).length}`
  }
  const killed = await killAtEveryCall(cloud, upgrades, keyOf)
  expect(killed).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expect((await runUpgrade(cloud, SECOND)).said).toBe('Nothing to do: this release already runs.')
})
