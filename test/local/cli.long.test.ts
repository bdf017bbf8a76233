import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inOrder } from '../../lib/cli/deploy/order.ts'
import { lockFile } from '../../lib/local/lock.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { readWorkers } from '../../lib/tools/wrangler.ts'
import { addDatabase, createDatabase } from '../support/database.ts'
import { migrateElsewhere } from '../support/migrations.ts'
import { runScript } from '../support/process.ts'

describe('npm run migrate', () => {
  it('applies the migrations, again without harm, and needs DATABASE_URL', async () => {
    const url = await addDatabase()
    for (let i = 0; i < 2; i++) {
      const script = runScript('migrate', [], { DATABASE_URL: url })
      expect(await script.ended, script.output()).toBe(0)
    }
    const database = await openPostgres(url)
    const [tables] = await database.run([
      { query: "select 1 from pg_tables where tablename = 'agents'", params: [] },
    ])
    expect(tables?.rows).toHaveLength(1)
    await database.close()
    const without = runScript('migrate', [], { DATABASE_URL: '' })
    expect(await without.ended).toBe(1)
    expect(without.output()).toContain('DATABASE_URL')
  })

  it('refuses a database of an unreleased version, and leaves a later version alone', async () => {
    const unreleased = await addDatabase()
    const engine = await openPostgres(unreleased)
    const later = await createDatabase()
    try {
      await migrateElsewhere(engine, 1)
      const refused = runScript('migrate', [], { DATABASE_URL: unreleased })
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toContain('an unreleased version of AgentCred made the database')
      const query = "select tablename from pg_tables where schemaname = 'public'"
      expect(await engine.run([{ query, params: [] }])).toMatchObject([{ rows: [['other']] }])
      await migrateElsewhere(later.engine, Number.MAX_SAFE_INTEGER)
      const taken = runScript('migrate', [], { DATABASE_URL: later.url })
      expect(await taken.ended, taken.output()).toBe(0)
    } finally {
      await engine.close()
      await later.close()
    }
  })
})

/** The environment of a deployment whose settings are complete, in a folder of its own. */
function deploymentEnv(): { DEPLOYMENT_DIR: string } {
  const DEPLOYMENT_DIR = mkdtempSync(join(tmpdir(), 'agentcred-deployment-'))
  onTestFinished(() => rmSync(DEPLOYMENT_DIR, { recursive: true }))
  const deployment = {
    name: 'acme',
    accountId: 'a'.repeat(32),
    topology: 'gateway',
    host: 'acme-root.acme.workers.dev',
    publisher: 'acme.test',
    solana: 'none',
    kv: { NONCES: 'b'.repeat(32), CATALOG: 'c'.repeat(32) },
    rateLimits: 5000,
    clockLocation: '',
    vars: {},
  }
  writeFileSync(join(DEPLOYMENT_DIR, 'deployment.json'), JSON.stringify(deployment))
  return { DEPLOYMENT_DIR }
}

describe('npm run generate', () => {
  it.each([['nope'], ['migrations']])('prints its generators when called with %s', async (word) => {
    const script = runScript('generate', [word])
    expect(await script.ended).toBe(2)
    expect(script.output()).toContain('npm run generate -- migrations <name>')
    expect(script.output()).not.toMatch(/^ +at /m)
  })
})

describe('npm run rotate', () => {
  it('explains an option that is not for these keys', async () => {
    const script = runScript('rotate', ['payments', '--at-once'])
    expect(await script.ended).toBe(2)
    expect(script.output()).toContain('--at-once is not possible for payments')
  })

  it('refuses to run at the same time as another', async () => {
    const env = { ...deploymentEnv(), CLOUDFLARE_API_TOKEN: 'x' }
    const release = await lockFile(join(env.DEPLOYMENT_DIR, 'lock'))
    const script = runScript('rotate', ['session'], env)
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain(`process ${process.pid} is using the deployment`)
    release()
  })
})

describe('npm run deploy', () => {
  it('names an unknown Worker and option, and refuses an unfinished deployment', async () => {
    const unknown = runScript('deploy', ['--dry-run', 'nope'])
    expect(await unknown.ended).toBe(2)
    expect(unknown.output()).toContain('there is no Worker nope.')
    const wrong = runScript('deploy', ['--force'])
    expect(await wrong.ended).toBe(2)
    expect(wrong.output()).toContain('npm run deploy -- [--dry-run]')
    const begun = runScript('deploy', [], { ...deploymentEnv(), DATABASE_URL: '' })
    expect(await begun.ended).toBe(1)
    expect(begun.output()).toContain('npm run setup has not finished for this deployment: run it again')
  })

  it('says what to do without a deployment, or when its settings can’t be read', async () => {
    const none = runScript('deploy', [], { DEPLOYMENT_DIR: join(tmpdir(), 'agentcred-nowhere') })
    expect(await none.ended).toBe(1)
    expect(none.output()).toMatch(/there is no deployment in .*: run npm run setup to make one/)
    const env = deploymentEnv()
    writeFileSync(join(env.DEPLOYMENT_DIR, 'deployment.json'), '{"name":"acme"}')
    const broken = runScript('deploy', [], env)
    expect(await broken.ended).toBe(1)
    expect(broken.output()).toMatch(/deployment\.json: accountId/)
  })

  it('deploys a Worker after its bindings, and a signing Worker after checking ones', () => {
    const workers = inOrder(readWorkers())
    const names = workers.map(({ name }) => name)
    const bound = workers.flatMap(({ name, services }) => services.map((service) => [name, service] as const))
    expect(bound).toContainEqual(['agentcred-root', 'agentcred-auth'])
    for (const [name, service] of bound) {
      expect(names).toContain(service)
      expect(names.indexOf(service)).toBeLessThan(names.indexOf(name))
    }
    const signer = workers.findIndex(({ requiredSecrets }) => requiredSecrets.includes('SESSION_SIGNING_KEY'))
    const checkers = workers.map(({ requiredSecrets }, i) =>
      requiredSecrets.includes('SESSION_JWKS') ? i : 0,
    )
    expect(signer).toBe(Math.max(...checkers))
    expect(names.indexOf('agentcred-jobs')).toBeLessThan(names.indexOf('agentcred-events'))
    // A stack of a new key's would be unknown to settlement.
    expect(names.indexOf('agentcred-settlement')).toBeLessThan(names.indexOf('agentcred-vault'))
    expect(workers).toHaveLength(readWorkers().length)
  })
})
