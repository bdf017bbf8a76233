import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { rotateKeys } from '../../lib/cli/rotate/command.ts'
import type { What } from '../../lib/cli/rotate/run.ts'
import { applySettings } from '../../lib/cli/setup/apply.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { runningRelease } from '../../lib/migrations/release.ts'
import { generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { cloudflareError } from '../support/cloud/in-process.ts'
import { changed, formerly, sourceOf } from '../support/cloud/releases.ts'
import { deployedSecrets, read, secretsOf } from '../support/cloud/scripts.ts'
import {
  beginWith,
  codeOf,
  type Deployed,
  deployFirst,
  endState,
  reroute,
  runUpgrade,
} from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

const FIRST = sourceOf('1.0.0')
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
const back = (options: Parameters<typeof runUpgrade>[2] = {}) =>
  runUpgrade(cloud, SECOND, { isRollback: true, former: formerly(FIRST), ...options })

describe('a rollback', () => {
  let second: Deployed | undefined
  beforeEach(async () => {
    if (second) await beginWith(cloud, second)
    else {
      await deployFirst(cloud)
      expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
      second = await deployFirst(cloud, SECOND)
    }
    cloud.calls.length = 0
  })

  it('checks the former code before it is promoted, and changes nothing when it fails', async () => {
    const ran = endState(cloud)
    const files = ['deployed.json', 'running.json', 'secrets.json'].map((name) => read(cloud, name))
    // It does not reach the database.
    cloud.cloudflare.isIll = (script, { id }) =>
      script === 'agentcred-mcp' && cloud.cloudflare.scripts.get(script)?.versions[0]?.id === id
    const { stopped, said } = await back()
    expect(stopped).toMatch(
      /^The new version of agentcred-mcp does not reach the database.*Every Worker runs its former version\.$/,
    )
    expect(said).not.toContain('promoted')
    for (const [name, { shares, crons }] of Object.entries(endState(cloud)))
      expect({ shares, crons }, name).toEqual({ shares: ran[name]?.shares, crons: ran[name]?.crons })
    expect((await running())?.version).toBe('1.1.0')
    expect(files).toEqual(['deployed.json', 'running.json', 'secrets.json'].map((name) => read(cloud, name)))
    expect(cloud.files().some(({ path }) => path.endsWith('upgrade.json'))).toBe(false)
    cloud.cloudflare.isIll = () => false
    expect((await back()).stopped).toBeUndefined()
    expect([codeOf(cloud, 'mcp'), (await running())?.version]).toEqual(['1', '1.0.0'])
  })

  it('takes everything back when its last request fails, also new secrets', async () => {
    const before = { mcp: codeOf(cloud, 'mcp'), jobs: deployedSecrets(cloud, 'jobs') }
    // Cloudflare refuses the version from before, 10220, unless it is forced.
    const keys = secretsOf(cloud)
    const changed = { ...keys, ...generateWebhookKeys(keys.WEBHOOK_SIGNING_KEYS) }
    command().folder.writeJson('secrets.json', changed)
    let logins = 0
    cloud.faults.before = ({ name }) =>
      name === 'service POST /v1/auth/handshake' && ++logins === 2
        ? Response.json({ code: 'login_refused' }, { status: 401 })
        : undefined
    expect((await back()).stopped).toMatch(/^A login at .* Every Worker runs its former version/)
    cloud.faults.before = () => undefined
    expect({ mcp: codeOf(cloud, 'mcp'), jobs: deployedSecrets(cloud, 'jobs') }).toEqual(before)
    expect(endState(cloud)).toMatchObject({ 'agentcred-jobs': { crons: ['*/5 * * * *'] } })
    expect((await back()).stopped).toBeUndefined()
    expect(endState(cloud)).toMatchObject({ 'agentcred-jobs': { crons: ['*/10 * * * *'] } })
    expect(deployedSecrets(cloud, 'jobs').WEBHOOK_SIGNING_KEYS).toBe(changed.WEBHOOK_SIGNING_KEYS)
  })

  it.each<[string, () => void, RegExp]>([
    [
      'an address that is not verified',
      () => {
        cloud.cloudflare.isVerified = false
      },
      /^Cloudflare has not verified your e-mail address/,
    ],
    [
      'a feature that the account does not have',
      () => {
        const words = 'You do not have access to this feature. Please ensure it is enabled.'
        cloud.faults.before = ({ name }) =>
          /POST .*jobs\/versions/.test(name) ? cloudflareError(403, 10023, words) : undefined
      },
      /^The Cloudflare account lacks a feature that a Worker uses/,
    ],
    [
      'a project of Neon’s that is at work for long',
      () => {
        cloud.neon.locked = 1
      },
      /^$/,
    ],
    [
      'lists that are late',
      () => {
        cloud.cloudflare.listsLate = 4
      },
      /^$/,
    ],
  ])('meets %s', async (_what, prepare, sentence) => {
    prepare()
    const { stopped = '' } = await back()
    expect(stopped).toMatch(sentence)
    expect(stopped).not.toContain('Run npm run upgrade again')
    cloud.faults.before = () => undefined
    Object.assign(cloud.cloudflare, { isVerified: true, listsLate: 0 })
    const isBack = stopped === ''
    expect([codeOf(cloud, 'mcp'), (await running())?.version]).toEqual(
      isBack ? ['1', '1.0.0'] : ['2', '1.1.0'],
    )
    if (!isBack) expect((await back()).stopped).toBeUndefined()
    expect((await running())?.version).toBe('1.0.0')
  })

  it('leaves out a variable that the former release lacks, and keeps it for the next', async () => {
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
    const third = sourceOf('1.2.0', ({ mcp }) => {
      if (mcp) mcp.vars = { ...mcp.vars, LATER: '' }
    })
    expect((await runUpgrade(cloud, third)).stopped).toBeUndefined()
    const set = readSetup({ var: ['LATER=set'] }, folder)
    expect(await reason(setUp(command(third), set))).toBeUndefined()
    const later = () =>
      cloud.cloudflare.scripts.get('agentcred-mcp')?.metadata.bindings.find(({ name }) => name === 'LATER')
    expect(later()?.text).toBe('set')
    expect((await runUpgrade(cloud, third, { isRollback: true, former: formerly(SECOND) })).stopped).toBe(
      undefined,
    )
    expect([later(), (await running())?.version]).toEqual([undefined, '1.1.0'])
    // Settings can be changed with the former code, too.
    expect(await reason(setUp(command(), readSetup({}, folder)))).toBeUndefined()
    expect(await rotate('webhooks')).toBeUndefined()
    expect((await runUpgrade(cloud, third)).stopped).toBeUndefined()
    expect(later()?.text).toBe('set')
  })

  it('is refused without functions, without a former release, or without its source', async () => {
    const third = sourceOf('1.2.0', ({ mcp }) => {
      if (mcp) mcp.vars = { ...mcp.vars, CODE: '3' }
    })
    expect((await runUpgrade(cloud, third)).stopped).toBeUndefined()
    const refuse = async () => {
      throw new Error('this clone lacks it')
    }
    expect((await runUpgrade(cloud, third, { isRollback: true, former: refuse })).stopped).toBe(
      'this clone lacks it',
    )
    expect([codeOf(cloud, 'mcp'), (await running())?.version]).toEqual(['3', '1.2.0'])
    const former = formerly(SECOND)
    expect((await runUpgrade(cloud, third, { isRollback: true, former })).stopped).toBeUndefined()
    expect((await runUpgrade(cloud, third, { isRollback: true, former: formerly(FIRST) })).said).toContain(
      'Release 1.0.0 runs again',
    )
    expect((await back()).stopped).toBe('There is no upgrade to roll back.')
  })

  it('leaves a Worker running when its class came with the later release', async () => {
    const bringing = sourceOf('1.2.0', ({ jobs, mcp }) => {
      jobs?.migrations?.push({ tag: 'v2', new_sqlite_classes: ['Second'] })
      if (mcp) mcp.vars = { ...mcp.vars, CODE: '3' }
    })
    // Its code has no such class.
    const former = sourceOf('1.1.0', ({ mcp, jobs }) => {
      changed(mcp)
      if (jobs) Object.assign(jobs, { main: 'test/support/cloud/former-worker.ts' })
    })
    expect((await runUpgrade(cloud, bringing)).stopped).toBeUndefined()
    const jobs = endState(cloud)['agentcred-jobs']
    const done = await runUpgrade(cloud, bringing, { isRollback: true, former: formerly(former) })
    expect(done.stopped).toBeUndefined()
    expect(done.said).toContain('stay  agentcred-jobs, with the code of 1.2.0: its Durable Object class')
    expect([endState(cloud)['agentcred-jobs'], codeOf(cloud, 'mcp')]).toEqual([jobs, '2'])
    // Its code can't be deployed anew, so that no Worker gets a new key before the next upgrade.
    expect(await rotate('webhooks', former)).toMatch(/^agentcred-jobs runs the code of a later release/)
    expect((await runUpgrade(cloud, bringing)).stopped).toBeUndefined()
    expect(codeOf(cloud, 'mcp')).toBe('3')
    const { WEBHOOK_SIGNING_KEYS } = secretsOf(cloud)
    expect(deployedSecrets(cloud, 'jobs').WEBHOOK_SIGNING_KEYS).toBe(WEBHOOK_SIGNING_KEYS)
  })
})

describe('npm run deploy', () => {
  const deploy = (source = FIRST, groups: string[] = []) =>
    reason(applySettings(command(source), { groups, deploymentMs: 60_000, timeoutMs: 1_000 }))

  it('changes settings of the running code, one at a time, and checks health and login', async () => {
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
    const never = /^there is no deployment/
    expect(await deploy()).toMatch(never)
    cloud.faults.before = ({ name }) =>
      /PUT .*root$/.test(name) ? cloudflareError(403, 10000, 'Authentication error') : undefined
    await deployFirst(cloud).catch(() => {})
    expect(await deploy()).toMatch(/^npm run setup has not finished for this deployment: run it again/)
    cloud.faults.before = () => undefined
    await deployFirst(cloud)

    // Another code.
    cloud.calls.length = 0
    expect(await deploy(SECOND)).toMatch(/^Release 1.0.0 is deployed, but this folder has other code/)
    expect(cloud.calls).toEqual([])

    // A setting.
    const deployment = folder.deployment()
    folder.writeJson('deployment.json', { ...deployment, vars: { ...deployment.vars, CODE: '7' } })
    expect(await deploy(FIRST, ['mcp'])).toBeUndefined()
    expect(codeOf(cloud, 'mcp')).toBe('7')
    const asked = cloud.calls.map(({ name }) => name).filter((name) => name.startsWith('service'))
    expect(asked).toEqual([
      'service GET /v1/health',
      'service GET /v1/auth/handshake',
      'service POST /v1/auth/handshake',
    ])
    expect(await deploy(FIRST, ['nope'])).toBe('the deployment has no Worker nope')

    // Settings are checked before the first Worker goes up.
    cloud.calls.length = 0
    const keys = secretsOf(cloud)
    const { WEBHOOK_SIGNING_KEYS: _, ...without } = keys
    folder.writeJson('secrets.json', without)
    expect(await deploy()).toMatch(
      /^Missing WEBHOOK_SIGNING_KEYS: set it in the environment, or run npm run setup/,
    )
    const { WEBHOOK_SIGNING_KEYS = '' } = generateWebhookKeys()
    folder.writeJson('secrets.json', { ...keys, WEBHOOK_SIGNING_KEYS })
    expect(await deploy()).toMatch(/^WEBHOOK_PUBLIC_KEYS lacks a key of WEBHOOK_SIGNING_KEYS/)
    expect(cloud.calls).toEqual([])
    folder.writeJson('secrets.json', keys)

    // One at a time, from any machine.
    const others: (string | undefined)[] = []
    cloud.faults.before = async ({ name }) => {
      if (name === 'service GET /v1/health' && others.length === 0) others.push(await deploy())
      return undefined
    }
    expect(await deploy(FIRST, ['mcp'])).toBeUndefined()
    expect(others).toEqual([
      expect.stringMatching(/^Another upgrade, setup, deployment or rotation is running/),
    ])

    cloud.faults.before = ({ name }) =>
      name === 'service GET /v1/health' ? Response.json({ detail: 'database' }, { status: 503 }) : undefined
    expect(await deploy(FIRST, ['mcp'])).toMatch(
      /is unhealthy \(503: database\).*Run npm run deploy again\.$/,
    )
  })

  it('leaves a former host that another Worker serves now, as npm run upgrade does', async () => {
    await deployFirst(cloud)
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
    const former = { host: 'old.acme.test', zone: 'acme.test', topology: 'gateway' as const }
    folder.writeJson('deployment.json', { ...folder.deployment(), formerHosts: [former] })
    cloud.cloudflare.domains.set('old.acme.test', 'shop')
    cloud.calls.length = 0
    const sentence =
      /^The Worker shop answers at old.acme.test, a former host of the service: remove old.acme/
    expect(await deploy()).toMatch(sentence)
    expect((await runUpgrade(cloud, SECOND)).stopped).toMatch(sentence)
    expect(cloud.calls.map(({ name }) => name).filter((name) => /PUT|POST|PATCH/.test(name))).toEqual([])
    expect(cloud.cloudflare.domains.get('old.acme.test')).toBe('shop')
    // Going back is not refused for it: nothing of the address is deployed then.
    cloud.cloudflare.domains.delete('old.acme.test')
    expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
    cloud.cloudflare.domains.set('old.acme.test', 'shop')
    expect((await runUpgrade(cloud, SECOND, { isRollback: true })).stopped).toBeUndefined()
    expect(cloud.cloudflare.domains.get('old.acme.test')).toBe('shop')
  })

  it('waits, as setup and rotate do, for an interrupted upgrade or rollback', async () => {
    await deployFirst(cloud)
    const file = join(cloud.folder, 'upgrade.json')
    let journal = ''
    cloud.faults.before = ({ name }) => {
      if (name.endsWith('/v1/health/workers')) journal = readFileSync(file, 'utf8')
      return undefined
    }
    expect((await runUpgrade(cloud, SECOND)).stopped).toBeUndefined()
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
    folder.write('upgrade.json', journal)
    const sentence = /^The upgrade to release 1.1.0 was interrupted: run npm run upgrade/
    expect(await deploy(SECOND)).toMatch(sentence)
    expect(await rotate('webhooks')).toMatch(sentence)
    expect(await reason(setUp(command(), readSetup({}, folder)))).toMatch(sentence)
  })
})
