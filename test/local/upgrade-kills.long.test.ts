import pg from 'pg'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type Call, type Cloud, startCloud } from '../support/cloud/cloud.ts'
import {
  beginWith,
  changed,
  copyOfCloud,
  deployFirst,
  endState,
  reroute,
  runUpgrade,
  sourceOf,
} from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

const SECOND = sourceOf('1.1.0', ({ mcp }) => changed(mcp))
const refused = () =>
  Response.json({ success: false, errors: [], messages: [], result: null }, { status: 500 })

/** What wrangler asks: killed, it ends by itself. */
const isUpload = ({ name }: Call) => /POST .*\/versions$/.test(name)

/** Lets go of the calls that hang, at the end. */
const ends: ((answer: Response) => void)[] = []

/** The database lets go of what a killed process held. */
async function endSessions() {
  const client = new pg.Client({ connectionString: cloud.neon.url })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

/**
 * Runs an upgrade that ends before or after one of its calls: nothing that it would have done then happens.
 * @returns the call; undefined when it has come to its end before
 */
async function killedAt(
  moment: 'before' | 'after',
  isIt: (call: Call) => boolean,
): Promise<Call | undefined> {
  let killed: Call | undefined
  let onStuck = () => {}
  const stuck = new Promise<void>((resolve) => {
    onStuck = resolve
  })
  const stop = (call: Call) => {
    if (killed && !isUpload(call)) onStuck()
    return isUpload(call) ? refused() : 'hang'
  }
  cloud.faults.before = (call) => {
    if (!killed && moment === 'before' && isIt(call)) killed = call
    return killed ? stop(call) : undefined
  }
  cloud.faults.after = (call) => {
    if (killed || moment !== 'after' || !isIt(call)) return undefined
    killed = call
    return stop(call) === 'hang' ? new Promise((resolve) => ends.push(resolve)) : refused()
  }
  const run = runUpgrade(cloud, SECOND, { timeoutMs: 600_000 }, () => killed !== undefined)
  await Promise.race([run, stuck])
  cloud.faults.before = () => undefined
  cloud.faults.after = () => undefined
  await endSessions()
  return killed
}

it('ends the same when it is killed before every call, and after every change, and run again', async () => {
  onTestFinished(() => {
    for (const end of ends) end(refused())
  })
  const first = await deployFirst(cloud)
  let uploaded = first
  const goOn = async (what: string, expected: object) => {
    const { stopped } = await runUpgrade(cloud, SECOND)
    expect(stopped, what).toBeUndefined()
    expect(endState(cloud), what).toEqual(expected)
    expect((await runUpgrade(cloud, SECOND)).said, what).toBe('Nothing to do: this release runs.')
  }
  expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
  const expected = endState(cloud)
  expect(expected['agentcred-mcp']).toMatchObject({ shares: [[1, 100]], versions: 2 })

  for (const moment of ['before', 'after'] as const) {
    await beginWith(cloud, first)
    expect(await killedAt(moment, isUpload)).toBeDefined()
    if (moment === 'after') uploaded = await copyOfCloud(cloud)
    await goOn(`${moment} the upload`, expected)
  }
  const names: string[] = []
  for (const moment of ['before', 'after'] as const)
    for (let index = 1; ; index++) {
      await beginWith(cloud, uploaded)
      let seen = 0
      const isIt = ({ name }: Call) => {
        // After a call that only reads is before the next one.
        if (moment === 'before' || /^cloudflare POST/.test(name)) seen++
        return seen === index
      }
      const killed = await killedAt(moment, isIt)
      if (killed === undefined) break
      names.push(`${moment} ${killed.name}`)
      await goOn(`${moment} call ${index}, ${killed.name}`, expected)
    }
  expect(names.length).toBeGreaterThan(18)
  expect(names.filter((name) => name.startsWith('after'))).toHaveLength(2)
})
