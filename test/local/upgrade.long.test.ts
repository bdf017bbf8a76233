import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Command } from '../../lib/cli/deploy/command.ts'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { rotateKeys } from '../../lib/cli/rotate/command.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { MIGRATIONS } from '../../lib/migrations/migrations.ts'
import { rowsOf } from '../../lib/migrations/migrator.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { runningRelease } from '../../lib/migrations/release.ts'
import { type Call, type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { changed, sourceOf } from '../support/cloud/releases.ts'
import {
  beginWith,
  codeOf,
  type Deployed,
  deployFirst,
  endState,
  reroute,
  runUpgrade,
} from '../support/cloud/upgrades.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { migrationsFolder } from '../support/migrations.ts'

let deployed: Deployed | undefined
let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
  if (deployed) await beginWith(cloud, deployed)
  else deployed = await deployFirst(cloud)
  cloud.calls.length = 0
})
afterEach(() => vi.unstubAllGlobals())

/** The calls that change something at Cloudflare, without what wrangler asks besides. */
const changes = () =>
  cloud.calls
    .filter(
      ({ name }) => /^cloudflare (PUT|POST|PATCH)/.test(name) && !/script-settings|subdomain/.test(name),
    )
    .map(({ name, body }) => {
      const shares = /"percentage":(\d+)/g
      const what = name
        .replace('cloudflare ', '')
        .replace(/\/accounts\/<id>\/workers\/scripts\/agentcred-/, '')
      return what.endsWith('/deployments')
        ? `${what} ${[...body.matchAll(shares)].map(([, share]) => share).join('+')}`
        : what
    })

async function inDatabase<T>(work: (database: Awaited<ReturnType<typeof openPostgres>>) => Promise<T>) {
  const database = await openPostgres(cloud.neon.url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
const running = () => inDatabase(async (database) => (await runningRelease(database))?.version)

/** The migrations of this folder and these. */
const migrations = (files: Record<string, string>) =>
  migrationsFolder({ '0000_init': readFileSync(join(MIGRATIONS, '0000_init.sql'), 'utf8'), ...files })

const SECOND = {
  ...sourceOf('1.1.0', ({ mcp, jobs }) => {
    changed(mcp)
    if (jobs) jobs.triggers = { crons: ['*/5 * * * *'] }
  }),
}

describe('npm run upgrade', () => {
  it('checks versions at 0 %, promotes them in order, then triggers; and goes back', async () => {
    expect(await runUpgrade(cloud, sourceOf('1.0.0'))).toEqual({
      said: 'Nothing to do: this release already runs.',
    })
    const source = { ...SECOND, migrations: migrations({ '0001_a': '-- expand\ncreate table a ()' }) }
    const files = cloud.files()
    const plan = await runUpgrade(cloud, source, { isPlan: true })
    expect(plan.said.split('\n')).toEqual([
      'release 1.0.0 runs; release 1.1.0 will replace it',
      'migration 0001_a',
      'agentcred-jobs  new version',
      'agentcred-mcp  new version',
    ])
    expect([changes(), cloud.files()]).toEqual([[], files])

    const done = await runUpgrade(cloud, source)
    expect(done.stopped).toBeUndefined()
    expect(changes()).toEqual([
      'POST jobs/versions',
      'POST mcp/versions',
      'POST jobs/deployments 100+0',
      'POST mcp/deployments 100+0',
      'POST jobs/deployments 100',
      'POST mcp/deployments 100',
      'PUT jobs/schedules',
    ])
    const asked = cloud.calls.flatMap(({ name }, i) => (name.endsWith('/v1/health/workers') ? [i] : []))
    const promoted = cloud.calls.findIndex(({ body }) =>
      /"versions":\[\{[^}]*"percentage":100\}\]/.test(body),
    )
    expect(asked.map((index) => index < promoted)).toEqual([true, false])
    expect(endState(cloud)).toMatchObject({
      'agentcred-jobs': { shares: [[1, 100]], crons: ['*/5 * * * *'] },
      'agentcred-mcp': { shares: [[1, 100]] },
      'agentcred-root': { shares: [[0, 100]], versions: 1 },
    })
    expect(await running()).toBe('1.1.0')
    expect(await inDatabase((database) => rowsOf(database, 'select * from a'))).toEqual([])
    const secrets = JSON.parse(readFileSync(join(cloud.folder, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    for (const secret of Object.values(secrets)) {
      expect(done.said).not.toContain(secret)
      for (const { path, text } of cloud.files())
        if (!path.endsWith('secrets.json')) expect(text).not.toContain(secret)
    }
    expect(cloud.cloudflare.scripts.get('agentcred-jobs')?.secrets.DATABASE_URL).toBe(
      secrets.DATABASE_URL_JOBS,
    )
    expect((await runUpgrade(cloud, source)).said).toBe('Nothing to do: this release already runs.')

    cloud.calls.length = 0
    const back = await runUpgrade(cloud, source, { isRollback: true })
    expect(back.said).toContain('Release 1.0.0 runs again.')
    // The former code comes as new versions, which are asked, too.
    expect(changes()).toEqual([
      'POST jobs/versions',
      'POST mcp/versions',
      'POST jobs/deployments 100+0',
      'POST mcp/deployments 100+0',
      'POST jobs/deployments 100',
      'POST mcp/deployments 100',
      'PUT jobs/schedules',
    ])
    expect(codeOf(cloud, 'mcp')).toBe('1')
    expect(endState(cloud)).toMatchObject({
      'agentcred-jobs': { shares: [[2, 100]], crons: ['*/10 * * * *'] },
      'agentcred-mcp': { shares: [[2, 100]] },
      'agentcred-root': { shares: [[0, 100]], versions: 1 },
    })
    expect(await running()).toBe('1.0.0')
    expect((await runUpgrade(cloud, source, { isRollback: true })).stopped).toMatch(
      /^There is no upgrade to roll back/,
    )
  })

  it('brings new connection strings to Workers with unchanged code', async () => {
    const source = sourceOf('1.1.0', ({ mcp }) => changed(mcp))
    cloud.neon.url = cloud.neon.url.replace('127.0.0.1', 'localhost')
    expect((await runUpgrade(cloud, source)).stopped).toBeUndefined()
    const { secrets } = cloud.cloudflare.scripts.get('agentcred-jobs') ?? expect.fail()
    expect(new URL(secrets.DATABASE_URL ?? '').hostname).toBe('localhost')
    expect((await runUpgrade(cloud, source)).said).toBe('Nothing to do: this release already runs.')
  })

  it('still knows the way back when it was killed and is run again', async () => {
    const source = { ...sourceOf('1.1.0', ({ mcp }) => changed(mcp)) }
    // To remove it is the last thing that a run does.
    const file = join(cloud.folder, 'upgrade.json')
    let journal = ''
    cloud.faults.before = ({ name }) => {
      if (name.endsWith('/v1/health/workers')) journal = readFileSync(file, 'utf8')
      return undefined
    }
    expect((await runUpgrade(cloud, source)).stopped).toBeUndefined()
    cloud.faults.before = () => undefined
    writeFileSync(file, journal)
    expect((await runUpgrade(cloud, source)).stopped).toBeUndefined()
    expect([await running(), codeOf(cloud, 'mcp')]).toEqual(['1.1.0', '2'])
    writeFileSync(file, journal)
    expect((await runUpgrade(cloud, source, { isRollback: true })).said).toContain(
      'Release 1.0.0 runs again.',
    )
    expect([await running(), codeOf(cloud, 'mcp')]).toEqual(['1.0.0', '1'])
    expect(endState(cloud)).toMatchObject({ 'agentcred-mcp': { shares: [[0, 100]], versions: 2 } })
  })

  it('waits for an upload that Cloudflare lists late, and gives up after a while', async () => {
    cloud.cloudflare.listsLate = Number.POSITIVE_INFINITY
    const { stopped } = await runUpgrade(cloud, SECOND)
    expect(stopped).toMatch(
      /^Cloudflare does not list the just uploaded version of agentcred-jobs yet: wait a minute.*former version. Run npm run upgrade again.$/,
    )
    cloud.cloudflare.listsLate = 0
    expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
    expect(endState(cloud)).toMatchObject({ 'agentcred-jobs': { shares: [[2, 100]], versions: 3 } })
    cloud.cloudflare.listsLate = 3
    const third = sourceOf('1.2.0', ({ jobs }) => changed(jobs))
    expect((await runUpgrade(cloud, third)).stopped).toBeUndefined()
    expect(endState(cloud)).toMatchObject({ 'agentcred-jobs': { shares: [[3, 100]], versions: 4 } })
  })

  it('--by-percentage sends versions a quarter of requests if overrides are ignored', async () => {
    Object.assign(cloud.cloudflare, { ignoresOverrides: true })
    const { stopped } = await runUpgrade(cloud, SECOND)
    expect(stopped).toMatch(/has not applied the override.*npm run upgrade -- --by-percentage/)
    cloud.calls.length = 0
    cloud.cloudflare.isIll = (script, { id }) => {
      const { versions = [] } = cloud.cloudflare.scripts.get(script) ?? {}
      return script === 'agentcred-mcp' && versions.at(-1)?.id !== id
    }
    const ill = await runUpgrade(cloud, SECOND, { isByPercentage: true })
    expect(ill.stopped).toMatch(/^The new version of agentcred-mcp does not reach the database/)
    expect(endState(cloud)).toMatchObject({
      'agentcred-jobs': { shares: [[0, 100]] },
      'agentcred-mcp': { shares: [[0, 100]] },
    })
    cloud.cloudflare.isIll = () => false
    cloud.calls.length = 0
    expect((await runUpgrade(cloud, SECOND, { isByPercentage: true })).stopped).toBeUndefined()
    expect(changes()).toEqual([
      ...['POST jobs/versions', 'POST mcp/versions'],
      ...['POST jobs/deployments 75+25', 'POST mcp/deployments 75+25'],
      ...['POST jobs/deployments 100', 'POST mcp/deployments 100', 'PUT jobs/schedules'],
    ])
    expect(await running()).toBe('1.1.0')
  })

  it('--by-percentage goes back where a version never answers', async () => {
    // Every request goes to the version before.
    cloud.faults.before = () => {
      cloud.cloudflare.routed = 0
      return undefined
    }
    const { stopped } = await runUpgrade(cloud, SECOND, { isByPercentage: true })
    expect(stopped).toMatch(
      /^The new version of agentcred-jobs has not answered any of 60 requests, although it gets 25 %/,
    )
    expect(endState(cloud)).toMatchObject({ 'agentcred-jobs': { shares: [[0, 100]] } })
  })

  it('does nothing where a contract comes before its time', async () => {
    const files = {
      '0001_a': '-- expand\ncreate table a ()',
      '0002_b': '-- contract from 1.1.0\ndrop table a',
    }
    const { stopped } = await runUpgrade(cloud, { ...SECOND, migrations: migrations(files) })
    expect(stopped).toMatch(/^Migration 0002_b removes .* upgrade to 1.1.0 first. Nothing was changed.$/)
    expect(changes()).toEqual([])
    expect(await inDatabase((database) => rowsOf(database, "select to_regclass('a')"))).toEqual([[null]])
  })

  it.each<[string, Parameters<typeof sourceOf>[1], RegExp]>([
    [
      'a Worker',
      (env) => {
        env.live = { ...env.mcp, name: 'agentcred-live', main: env.mcp?.main ?? '', services: [] }
        env.mcp?.services?.push({ binding: 'LIVE', service: 'agentcred-live' })
      },
      /^agentcred-mcp uses agentcred-live, which this release adds.*Nothing was changed/,
    ],
    [
      'a class',
      ({ jobs }) => {
        jobs?.migrations?.push({ tag: 'v2', new_sqlite_classes: ['Second'] })
        jobs?.durable_objects?.bindings.push({ name: 'SECOND', class_name: 'Second' })
      },
      /^agentcred-jobs uses Second, which this release adds/,
    ],
  ])('does nothing where a release uses %s that it brings', async (_what, change, sentence) => {
    expect((await runUpgrade(cloud, sourceOf('1.1.0', change))).stopped).toMatch(sentence)
    expect(changes()).toEqual([])
  })

  it('is the only way for other code to a deployment that runs: setup refuses it', async () => {
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
    const again = (source: typeof SECOND) =>
      setUp({ folder, env: cloud.env, say: () => {}, source }, readSetup({}, folder))
    await expect(again(SECOND)).rejects.toThrow(
      'Release 1.0.0 is deployed, but this folder has other code (1.1.0): deploy it with npm run upgrade first.',
    )
    expect(changes()).toEqual([])
  })
})

const refuse = (status: number, code: number) =>
  Response.json(
    { success: false, errors: [{ code, message: 'no' }], messages: [], result: null },
    { status, headers: { 'x-should-retry': 'false' } },
  )

/** Lets the nth call of a kind, or all from it on, be answered otherwise. */
function answering(
  pattern: RegExp,
  answer: () => Response | 'hang',
  from = 1,
  to = Number.POSITIVE_INFINITY,
) {
  let count = 0
  cloud.faults.before = ({ name, body }: Call) => {
    if (!pattern.test(`${name} ${body}`)) return undefined
    count++
    return count >= from && count <= to ? answer() : undefined
  }
}

describe('npm run upgrade goes back', () => {
  /** Run one after the other: each begins anew. */
  const failures: [string, () => void, RegExp][] = [
    [
      'an upload that fails',
      () => answering(/POST .*mcp\/versions/, () => refuse(500, 10_013)),
      /^Cloudflare failed with 500 while uploading a version of agentcred-mcp/,
    ],
    [
      'a token that may not deploy',
      () => answering(/POST .*\/deployments/, () => refuse(403, 10_000)),
      /lacks the permission Workers Scripts: Edit \(deploying versions of agentcred-jobs\)/,
    ],
    [
      'the second at 0 % is asked to wait',
      () => answering(/POST .*\/deployments/, () => refuse(429, 10_429), 2, 2),
      /^Cloudflare limits the rate of requests \(deploying versions of agentcred-mcp\).*Run npm run upgrade again/,
    ],
    [
      'an override that is ignored',
      () => Object.assign(cloud.cloudflare, { ignoresOverrides: true }),
      /^Version [\w-]+ of agentcred-jobs answers instead of [\w-]+: Cloudflare has not applied the override/,
    ],
    [
      'a version that does not reach its database',
      () =>
        Object.assign(cloud.cloudflare, {
          isIll: (script: string, { id }: { id: string }) =>
            script === 'agentcred-jobs' && cloud.cloudflare.scripts.get(script)?.versions.at(-1)?.id !== id,
        }),
      /^The new version of agentcred-jobs does not reach the database/,
    ],
    [
      'root that fails',
      () => answering(/GET \/v1\/health\/workers/, () => refuse(500, 0)),
      /^The new version of root answers 500/,
    ],
    [
      'root that hangs',
      () => answering(/GET \/v1\/health\/workers/, () => 'hang'),
      /^The new versions do not answer/,
    ],
    [
      'a login that is refused',
      () => answering(/POST \/v1\/auth/, () => Response.json({ code: 'login_refused' }, { status: 401 })),
      /^A login at .* was rejected \(401 login_refused\)/,
    ],
    [
      'the second promotion fails',
      () => answering(/POST .*\/deployments/, () => refuse(500, 10_013), 4, 4),
      /^Cloudflare failed with 500 while deploying versions of agentcred-mcp/,
    ],
    [
      'triggers that fail',
      () => answering(/PUT .*\/schedules/, () => refuse(500, 10_013), 1, 1),
      /while deploying the triggers of jobs|rejected the request \(deploying the triggers of jobs/,
    ],
    [
      'a login that is refused after the promotion',
      () => answering(/POST \/v1\/auth/, () => Response.json({ code: 'login_refused' }, { status: 401 }), 2),
      /^A login at .* was rejected/,
    ],
  ]

  it('to the recorded versions and triggers after any failure; goes on when run again', async () => {
    const before = Object.fromEntries(
      Object.entries(endState(cloud)).map(([name, { shares, crons }]) => [name, { shares, crons }]),
    )
    for (const [what, prepare, sentence] of failures) {
      prepare()
      const { stopped = '' } = await runUpgrade(
        cloud,
        SECOND,
        what.includes('hangs') ? { timeoutMs: 1_000 } : {},
      )
      expect(stopped, what).toMatch(sentence)
      expect(stopped, what).toMatch(/Every Worker runs its former version\.( Run npm run upgrade again\.)?$/)
      expect(stopped, what).not.toContain('\n')
      cloud.faults.before = () => undefined
      Object.assign(cloud.cloudflare, { ignoresOverrides: false, isIll: () => false })
      expect(endState(cloud), what).toMatchObject(before)
      expect(await running(), what).toBe('1.0.0')
    }
    answering(/POST .*\/deployments/, () => refuse(500, 10_013), 4)
    const { stopped } = await runUpgrade(cloud, SECOND)
    expect(stopped).toMatch(/Going back to the former versions failed, too .*npm run upgrade -- --rollback/)
    cloud.faults.before = () => undefined
    expect((await runUpgrade(cloud, SECOND, { isRollback: true })).said).toContain('Release 1.0.0 runs again')
    expect(endState(cloud)).toMatchObject(before)

    expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
    expect([await running(), codeOf(cloud, 'mcp')]).toEqual(['1.1.0', '2'])
  })

  it('of two at once one is refused', async () => {
    let other: Awaited<ReturnType<typeof runUpgrade>> | undefined
    cloud.faults.before = async ({ name }) => {
      if (!name.endsWith('/v1/health/workers')) return undefined
      other ??= await runUpgrade(cloud, sourceOf('1.1.0'))
      return undefined
    }
    expect((await runUpgrade(cloud, sourceOf('1.1.0'))).stopped).toBeUndefined()
    expect(other?.stopped).toMatch(
      /^Another upgrade, setup, deployment or rotation is running \(session \d+ of postgres\): wait/,
    )
  })

  it('refuses a setup or rotation of another machine meanwhile', async () => {
    const others: (string | undefined)[] = []
    const elsewhere = async (work: (command: Command) => Promise<void>) => {
      const copy = temporaryFolder()
      cpSync(cloud.folder, copy, { recursive: true })
      const folder = openDeployment({ DEPLOYMENT_DIR: copy })
      others.push(
        await work({ folder, env: cloud.env, say: () => {}, source: sourceOf('1.0.0') }).then(
          () => undefined,
          (error: Error) => error.message,
        ),
      )
    }
    const options = { isPlan: false, isAtOnce: false, isStop: false, timeoutMs: 60_000 }
    let isBegun = false
    cloud.faults.before = async ({ name }) => {
      if (isBegun || !name.endsWith('/v1/health/workers')) return undefined
      isBegun = true
      await elsewhere((command) => setUp(command, readSetup({}, command.folder)))
      await elsewhere((command) => rotateKeys(command, 'webhooks', options))
      return undefined
    }
    expect((await runUpgrade(cloud, sourceOf('1.1.0'))).stopped).toBeUndefined()
    const refused = expect.stringMatching(/^Another upgrade, setup, deployment or rotation is running/)
    expect(others).toEqual([refused, refused])
    expect(await running()).toBe('1.1.0')
    const { stopped } = await runUpgrade(cloud, sourceOf('1.1.0'))
    expect(stopped).toBeUndefined()
  })
})
