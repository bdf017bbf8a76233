import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RawGroup } from '../../lib/cli/deploy/config.ts'
import { secretNameOf } from '../../lib/cli/deploy/database-urls.ts'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { rotateKeys } from '../../lib/cli/rotate/command.ts'
import { ROTATIONS } from '../../lib/cli/rotate/kinds.ts'
import type { What } from '../../lib/cli/rotate/run.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { runningRelease } from '../../lib/migrations/release.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { startDevnet } from '../support/cloud/node.ts'
import { logsIn } from '../support/cloud/operated.ts'
import { changed, formerly, sourceOf, wholeService } from '../support/cloud/releases.ts'
import { deployedSecrets, secretsOf } from '../support/cloud/scripts.ts'
import {
  beginWith,
  codeOf,
  type Deployed,
  deployFirst,
  reroute,
  runUpgrade,
} from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

const SECOND = sourceOf('1.1.0', ({ mcp, jobs }) => {
  changed(mcp)
  if (jobs) jobs.triggers = { crons: ['*/5 * * * *'] }
})

const running = async () => {
  const database = await openPostgres(cloud.neon.url)
  return runningRelease(database).finally(() => database.close())
}
const command = (source = SECOND) => ({
  folder: openDeployment({ DEPLOYMENT_DIR: cloud.folder }),
  ...{ env: cloud.env, say: () => {}, source },
})
/** Why something stops; undefined: it does not. */
const reason = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  )
const rotate = (what: What, source = SECOND, isAtOnce = false) =>
  reason(rotateKeys(command(source), what, { isPlan: false, isAtOnce, isStop: false, timeoutMs: 60_000 }))

describe('a rollback after a rotation', () => {
  /** A Worker that has the keys of each kind, and one that is given another code by the second release. */
  const holders: Record<What, string[]> = {
    database: ['auth', 'jobs'],
    session: ['auth', 'events'],
    webhooks: ['events', 'jobs'],
    secrets: ['events', 'jobs'],
    cards: ['protocols'],
    payments: ['payments'],
    'agent-keys': ['x402'],
    'fee-payer': ['x402'],
    vault: ['vault', 'settlement'],
  }
  const before = wholeService('1.0.0')
  let first: Deployed | undefined
  let node: Awaited<ReturnType<typeof startDevnet>>
  let database = ''
  beforeAll(async () => {
    node = await startDevnet()
    return node.close
  })

  it.each(Object.keys(ROTATIONS) as What[])(
    'of %s deploys the former code with the new keys',
    async (what) => {
      cloud.env = { ...cloud.env, ...node.env }
      // Its address is a part of what Workers are given.
      if (first) cloud.neon.url = database
      if (first) await beginWith(cloud, first)
      else first = await deployFirst(cloud, before, { solana: 'devnet' })
      database = cloud.neon.url
      const after = wholeService('1.1.0', [], (env) => {
        for (const group of holders[what]) changed(env[group] as RawGroup)
      })
      expect((await runUpgrade(cloud, after)).stopped).toBeUndefined()
      const old = secretsOf(cloud)
      // One more key that the former Workers do not have, and none of the old passwords works.
      expect(await rotate(what, after, what === 'database')).toBeUndefined()
      const keys = secretsOf(cloud)
      const names = ROTATIONS[what].names.filter((name) => keys[name] !== old[name])
      expect(names).not.toEqual([])

      const done = await runUpgrade(cloud, after, { isRollback: true, former: formerly(before) })
      expect(done.stopped).toBeUndefined()
      expect((await running())?.version).toBe('1.0.0')
      for (const group of holders[what]) expect(codeOf(cloud, group), group).not.toBe('2')
      for (const [group, { secrets }] of Object.entries(before.base.env)) {
        const expected = (secrets?.required ?? []).map((name) => [name, keys[secretNameOf(group, name)]])
        expect(deployedSecrets(cloud, group), group).toEqual(Object.fromEntries(expected))
      }
      if (what === 'database')
        for (const group of ['auth', 'jobs', 'root', 'agents']) {
          const { DATABASE_URL = '' } = deployedSecrets(cloud, group)
          expect(DATABASE_URL === '' || (await logsIn(DATABASE_URL)), group).toBe(true)
        }
      for (const value of Object.values(keys)) expect(done.said).not.toContain(value)
      // The recorded state is right: nothing is left to do with the former code.
      expect((await runUpgrade(cloud, before)).said).toBe('Nothing to do: this release already runs.')
      const lines: string[] = []
      const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
      await setUp(
        { folder, env: cloud.env, say: (line) => lines.push(line), source: before },
        readSetup({}, folder),
      )
      expect(lines.filter((line) => line.startsWith('deploy '))).toEqual([])
    },
  )
})
