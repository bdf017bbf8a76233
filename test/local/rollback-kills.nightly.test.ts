import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { runningRelease } from '../../lib/migrations/release.ts'
import { type Call, type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { SECOND, sourceOf } from '../support/cloud/releases.ts'
import { keyOfEach, killAtEveryCall, ROLLBACK, setupsOf, UPGRADE } from '../support/cloud/setups.ts'
import {
  beginWith,
  codeOf,
  type Deployed,
  deployFirst,
  endState,
  reroute,
  runUpgrade,
} from '../support/cloud/upgrades.ts'

const FIRST = sourceOf('1.0.0')

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

/** Returns the state of the service: a Worker's code, its cron, and the release in the database. */
async function releaseState() {
  const database = await openPostgres(cloud.neon.url)
  const release = await runningRelease(database).finally(() => database.close())
  const crons = cloud.cloudflare.scripts.get('agentcred-mcp')?.crons
  return [codeOf(cloud, 'mcp'), crons, release?.version]
}
const ON_FIRST = ['1', [], '1.0.0']
const ON_SECOND = ['2', ['0 3 * * *'], '1.1.0']

it('ends a rollback the same when killed before every call and after every change', async () => {
  await deployFirst(cloud)
  expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
  const second = await deployFirst(cloud, SECOND)
  expect((await runUpgrade(cloud, SECOND, { isRollback: true })).stopped).toBeUndefined()
  const expected = endState(cloud)
  expect(expected['agentcred-mcp']).toMatchObject({ shares: [[2, 100]], versions: 3 })

  await beginWith(cloud, second)
  const rollbacks = setupsOf(cloud, ROLLBACK)
  expect(await killAtEveryCall(cloud, rollbacks, keyOfEach(rollbacks))).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expect(await releaseState()).toEqual(ON_FIRST)
  expect((await runUpgrade(cloud, FIRST)).said).toBe('Nothing to do: this release already runs.')
})

/** Calls that change what runs. */
const isChange = ({ name }: Call) => /^cloudflare (POST|PUT) .*\/(versions|deployments|schedules)$/.test(name)

/**
 * Begins with what there was, and kills a command after the nth change.
 * @returns whether there was one
 */
async function killedAfter(nth: number, from: Deployed, runs: ReturnType<typeof setupsOf>): Promise<boolean> {
  await beginWith(cloud, from)
  let count = 0
  cloud.faults.after = (call) => (isChange(call) && count++ === nth ? runs.kill() : undefined)
  const output = await runs.run()
  cloud.faults.after = () => undefined
  return !output.includes(runs.script.done)
}

it('a rollback that was killed anywhere can go forward instead, by either release', async () => {
  await deployFirst(cloud)
  expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
  const second = await deployFirst(cloud, SECOND)
  const rollbacks = setupsOf(cloud, ROLLBACK)
  let nth = 0
  for (; await killedAfter(nth, second, rollbacks); nth++) {
    expect((await runUpgrade(cloud, SECOND)).stopped, `${nth}`).toBeUndefined()
    expect(await releaseState(), `${nth}`).toEqual(ON_SECOND)
    expect((await runUpgrade(cloud, SECOND)).said, `${nth}`).toBe('Nothing to do: this release already runs.')
    // The way back is still there.
    expect((await runUpgrade(cloud, SECOND, { isRollback: true })).stopped, `${nth}`).toBeUndefined()
    expect(await releaseState(), `${nth}`).toEqual(ON_FIRST)
    expect((await runUpgrade(cloud, FIRST)).said, `${nth}`).toBe('Nothing to do: this release already runs.')
  }
  expect(nth).toBeGreaterThan(3)
})

it('goes back after an upgrade was killed anywhere, by rollback or the former code', async () => {
  const first = await deployFirst(cloud)
  const upgrades = setupsOf(cloud, UPGRADE)
  let nth = 0
  for (; await killedAfter(nth, first, upgrades); nth++) {
    const isRollback = nth % 2 === 1
    const done = await runUpgrade(cloud, isRollback ? SECOND : FIRST, { isRollback })
    expect(done.stopped, `${nth}`).toBeUndefined()
    expect(await releaseState(), `${nth}`).toEqual(ON_FIRST)
    expect((await runUpgrade(cloud, FIRST)).said, `${nth}`).toBe('Nothing to do: this release already runs.')
  }
  expect(nth).toBeGreaterThan(3)
})
