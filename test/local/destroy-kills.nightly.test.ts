import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addForeign, stateOf } from '../support/cloud/accounts.ts'
import { startCloud } from '../support/cloud/cloud.ts'
import { WITH_QUEUES } from '../support/cloud/releases.ts'
import { secretsOf } from '../support/cloud/scripts.ts'
import { DESTROY, killAtEveryCall, setupsOf } from '../support/cloud/setups.ts'
import { deployFirst, reroute } from '../support/cloud/upgrades.ts'

it('ends the same when it is killed before every call, and after every change', async () => {
  const cloud = await startCloud()
  reroute(() => cloud)
  addForeign(cloud)
  const before = stateOf(cloud)
  await deployFirst(cloud, WITH_QUEUES, { domain: 'api.acme.test' })
  const setups = setupsOf(cloud, DESTROY)
  const killed = await killAtEveryCall(cloud, setups, ({ name, body }) => `${name} ${body}`)
  expect(killed).toBeGreaterThan(25)
  expect(stateOf(cloud)).toEqual(before)
  expect(readdirSync(cloud.folder)).toEqual(['secrets.json'])
  for (const secret of [...Object.values(secretsOf(cloud)), cloud.env.CLOUDFLARE_API_TOKEN ?? ''])
    for (const output of setups.outputs) expect(output).not.toContain(secret)
})
