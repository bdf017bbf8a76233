import { importJWK } from 'jose'
import { describe, expect, inject, it } from 'vitest'
import { inOrder } from '../../lib/cli/deploy.ts'
import { openPostgres } from '../../lib/local/neon/postgres.ts'
import { readWorkers } from '../../lib/local/wrangler-config.ts'
import { runScript } from '../support/process.ts'

const parse = (output: string) =>
  Object.fromEntries(
    [...output.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, json]) => [name, JSON.parse(json ?? '')]),
  )

describe('npm run keys', () => {
  it('prints a signing key and the public set, and keeps the previous key in a rotation', async () => {
    const first = runScript('keys')
    expect(await first.ended).toBe(0)
    const keys = parse(first.output())
    expect(keys.SESSION_JWKS.keys).toHaveLength(1)
    expect(keys.SESSION_JWKS.keys[0]).not.toHaveProperty('d')
    expect(keys.SESSION_SIGNING_KEY.kid).toBe(keys.SESSION_JWKS.keys[0].kid)
    await importJWK(keys.SESSION_SIGNING_KEY, 'EdDSA')
    const second = runScript('keys', [], { SESSION_JWKS: JSON.stringify(keys.SESSION_JWKS) })
    await second.ended
    const kids = parse(second.output()).SESSION_JWKS.keys.map(({ kid }: { kid: string }) => kid)
    expect(kids).toHaveLength(2)
    expect(kids[1]).toBe(keys.SESSION_SIGNING_KEY.kid)
  })
})

describe('npm run migrate', () => {
  it('applies the migrations, again without harm, and needs DATABASE_URL', async () => {
    const maintenance = await openPostgres(inject('postgresUrl'))
    await maintenance.execScript('create database to_migrate')
    await maintenance.close()
    const url = new URL(inject('postgresUrl'))
    url.pathname = '/to_migrate'
    for (let i = 0; i < 2; i++) {
      const script = runScript('migrate', [], { DATABASE_URL: url.href })
      expect(await script.ended, script.output()).toBe(0)
    }
    const database = await openPostgres(url.href)
    const [tables] = await database.run([
      { query: "select 1 from pg_tables where tablename = 'agents'", params: [] },
    ])
    expect(tables?.rows).toHaveLength(1)
    await database.close()
    const without = runScript('migrate', [], { DATABASE_URL: '' })
    expect(await without.ended).toBe(1)
    expect(without.output()).toContain('DATABASE_URL')
  })
})

describe('npm run deploy', () => {
  it('names the secrets that are missing before it deploys anything, and an unknown Worker', async () => {
    const env = { DATABASE_URL: '', SESSION_SIGNING_KEY: '', SESSION_JWKS: 'x' }
    const missing = runScript('deploy', [], env)
    expect(await missing.ended).toBe(1)
    expect(missing.output()).toMatch(/^set DATABASE_URL, .*SESSION_SIGNING_KEY/)
    const unknown = runScript('deploy', ['--dry-run', 'nope'])
    expect(await unknown.ended).toBe(1)
    expect(unknown.output()).toContain('[env.nope]')
  })

  it('deploys a Worker after those that it is bound to, and the one that signs after those that check', () => {
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
    expect(workers).toHaveLength(readWorkers().length)
  })
})
