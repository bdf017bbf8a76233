import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { SECOND } from '../support/cloud/releases.ts'
import { keyOfEach, killAtEveryCall, setupsOf, UPGRADE } from '../support/cloud/setups.ts'
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
  const killed = await killAtEveryCall(cloud, upgrades, keyOfEach(upgrades))
  expect(killed).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expect((await runUpgrade(cloud, SECOND)).said).toBe('Nothing to do: this release already runs.')
})
