import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { machineOf } from '../support/cloud/machines.ts'
import { SECOND, sourceOf } from '../support/cloud/releases.ts'
import { keyOfEach, killAtEveryCall, setupsOf, UPGRADE } from '../support/cloud/setups.ts'
import { beginWith, deployFirst, endState, reroute, runUpgrade } from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

it('ends an upgrade the same when its machine is lost at any call', async () => {
  const first = await deployFirst(cloud)
  expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
  const expected = endState(cloud)

  await beginWith(cloud, first)
  const upgrades = setupsOf(cloud, UPGRADE)
  const elsewhere = async () => {
    const other = machineOf(cloud, SECOND, cloud.folder, ['secrets.json'])
    expect((await other.adopt()).stopped).toBeUndefined()
    for (const name of readdirSync(cloud.folder))
      rmSync(join(cloud.folder, name), { recursive: true, force: true })
    cpSync(other.path, cloud.folder, { recursive: true })
  }
  const killed = await killAtEveryCall(cloud, upgrades, keyOfEach(upgrades), () => false, elsewhere)
  expect(killed).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expect((await runUpgrade(cloud, SECOND)).said).toBe('Nothing to do: this release already runs.')
  const back = await machineOf(cloud, sourceOf('1.0.0'), cloud.folder).upgrade({ isRollback: true })
  expect(back.said).toContain('Release 1.0.0 runs again.')
})
