import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rowsOf } from '../../lib/migrations/migrator.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { copyTo } from '../support/clone.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { addDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { runScript } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A stage of a name that no developer's has, in the repository's folder as an operator's. */
function stageOf(cloud: Cloud, letter: string) {
  const name = `${letter}${process.pid}`
  const folder = join(ROOT, `.deployment-${name}`)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { DEPLOYMENT_DIR: _, ...rest } = cloud.env
  const env: Record<string, string> = {
    ...rest,
    NODE_OPTIONS: `--import ${new URL('../support/cloud/reroute.mjs', import.meta.url)}`,
    REROUTE_TO: `${cloud.origin}/service`,
  }
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return {
    name,
    folder,
    env,
    begin: `agentcred-${name}-`,
    read,
    secrets: () => read('secrets.json') as Record<string, string>,
    /** Runs a script for the stage. @returns what it said */
    async run(script: string, args: string[] = [], code = 0, more: Record<string, string> = {}) {
      const run = runScript(script, [...args, '--stage', name], { ...env, ...more })
      expect(await run.ended, run.output()).toBe(code)
      return run.output()
    },
  }
}

const inDatabase = async (url: string, query: string) => {
  const database = await openPostgres(url)
  return rowsOf(database, query).finally(() => database.close())
}

it('shares nothing between two stages, and runs each command on its own stage', async () => {
  const cloud = await startCloud()
  const { cloudflare, neon } = cloud
  const [one, two] = [stageOf(cloud, 'a'), stageOf(cloud, 'b')]
  for (const { name } of [one, two]) neon.urls[`agentcred-${name}`] = await addDatabase()
  for (const stage of [one, two]) expect(await stage.run('setup')).toContain('the service is healthy')
  const named = (stage: typeof one) => ({
    workers: [...cloudflare.scripts.keys()].filter((name) => name.startsWith(stage.begin)).length,
    queues: [...cloudflare.queues.keys()].filter((name) => name.startsWith(stage.begin)).length,
    namespaces: [...cloudflare.namespaces.keys()].filter((name) => name.startsWith(stage.begin)).length,
    projects: neon.projects.filter(({ name }) => `${name}-` === stage.begin).length,
  })
  for (const stage of [one, two])
    expect(named(stage)).toEqual({ workers: 14, queues: 4, namespaces: 2, projects: 1 })
  expect(cloudflare.scripts.size).toBe(28)
  const deployments = [one, two].map(({ read }) => read('deployment.json'))
  for (const part of ['name', 'host', 'publisher', 'neonProject', 'rateLimits', 'kv'])
    expect(deployments[0][part], part).not.toEqual(deployments[1][part])
  const others = new Set(Object.values(two.secrets()))
  expect(Object.values(one.secrets()).filter((secret) => others.has(secret))).toEqual([])
  for (const [name, { secrets, metadata }] of cloudflare.scripts) {
    const other = name.startsWith(one.begin) ? two : one
    expect(JSON.stringify([secrets, metadata]), name).not.toContain(other.begin)
    for (const secret of Object.values(other.secrets())) expect(Object.values(secrets)).not.toContain(secret)
  }

  const before = { files: two.read('deployed.json'), secrets: two.secrets() }
  cloud.calls.length = 0
  expect(await one.run('rotate', ['session'])).toContain('left   the older key')
  expect(await one.run('deploy', ['auth'])).toContain(`${one.begin}auth`)
  expect(await one.run('setup', ['--var', 'PIONEER_SPOTS=7'])).toContain(`deploy ${one.begin}pioneer`)
  expect(await one.run('upgrade')).toBe('Nothing to do: this release already runs.\n')
  expect(cloud.calls.filter(({ name, body }) => `${name} ${body}`.includes(two.begin))).toEqual([])
  expect({ files: two.read('deployed.json'), secrets: two.secrets() }).toEqual(before)
  const queues = await two.run('queues')
  expect(queues.match(new RegExp(`^${two.begin}`, 'gm'))).toHaveLength(4)
  expect(queues).not.toContain(one.begin)

  await one.run('invites', ['issue', '--count', '3'])
  expect((await one.run('invites', ['list'])).trim().split('\n')).toHaveLength(3)
  expect(await two.run('invites', ['list'])).toBe('')
  expect(await two.run('vault', ['status'])).toContain('yield of')
  expect(await two.run('payments', ['held'])).toBe('No hire is held.\n')
  const since = ['--since', new Date().toISOString()]
  expect(await two.run('reconcile', since)).toContain('Without Solana there is nothing to record')
  const urlOf = ({ name }: typeof one) => neon.urls[`agentcred-${name}`] ?? ''
  const counts = [one, two].map((stage) => inDatabase(urlOf(stage), 'select count(*) from invite_codes'))
  expect(await Promise.all(counts)).toEqual([[['3']], [['0']]])

  const mixed = await two.run('vault', ['status'], 1, { DATABASE_URL: urlOf(one) })
  expect(mixed).toContain('DATABASE_URL is not the database of --stage: unset it')
  for (const script of ['setup', 'upgrade', 'queues', 'invites'])
    expect(
      await two.run(script, script === 'invites' ? ['list'] : [], 2, { DEPLOYMENT_DIR: one.folder }),
    ).toContain('--stage and DEPLOYMENT_DIR both name a deployment')
  // A clone at another place makes the same Workers of it.
  const clone = join(temporaryFolder(), 'clone')
  copyTo(clone)
  const DEPLOYMENT_DIR = join(clone, 'elsewhere')
  mkdirSync(DEPLOYMENT_DIR)
  cpSync(join(one.folder, 'secrets.json'), join(DEPLOYMENT_DIR, 'secrets.json'))
  cloud.calls.length = 0
  for (const [script, args, said] of [
    ['setup', ['--adopt'], /Adopted: agentcred-/],
    ['upgrade', [], /^Nothing to do: this release already runs.$/m],
    ['setup', [], /^kept {2}agentcred-.*-root$/m],
  ] as const) {
    const run = runScript(script, [...args], { ...one.env, DEPLOYMENT_DIR }, clone)
    expect(await run.ended, run.output()).toBe(0)
    expect(run.output()).toMatch(said)
  }
  expect(cloud.calls.filter(({ name }) => /^(cloudflare|neon) (?!GET)/.test(name))).toEqual([])

  const invalid = runScript('queues', ['--stage', 'No_Name'])
  expect(await invalid.ended).toBe(2)
  expect(invalid.output()).toContain('--stage must be up to 21 lowercase letters')
})
