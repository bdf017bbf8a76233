import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp } from '../../lib/cli/backup/dump.ts'
import { restore } from '../../lib/cli/backup/restore.ts'
import { openDeployment, SECRETS } from '../../lib/cli/deploy/deployment.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { startCloud } from '../support/cloud/cloud.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { contentsOf, startWithTools } from '../support/postgres-tools.ts'
import { runScript } from '../support/process.ts'

let tools: Awaited<ReturnType<typeof startWithTools>>
beforeAll(async () => {
  tools = await startWithTools()
})
afterAll(() => tools?.stop())

/** A deployment without Solana whose database has a wallet and an event. */
async function deployed() {
  const folder = openDeployment({ DEPLOYMENT_DIR: temporaryFolder() })
  const url = await tools.newDatabase()
  const database = await openPostgres(url)
  await applyMigrations(database)
  await database.execScript(`
    insert into wallets (address, first_login_at, last_login_at) values ('w', now(), now());
    insert into events (id, type, occurred_at, recorded_at, wallet, data)
      values (gen_random_uuid(), 'agent.registered', now(), now(), 'w', '{}')`)
  await database.close()
  folder.writeJson('deployment.json', {
    ...{ name: 'acme', accountId: 'a', topology: 'gateway', host: 'h.test', publisher: 'h.test' },
    ...{ solana: 'none', kv: {}, rateLimits: 1, clockLocation: '', vars: {} },
  })
  folder.writeJson(SECRETS, { DATABASE_URL: url })
  const env = { DEPLOYMENT_DIR: folder.folder, PG_BIN: tools.folder, DATABASE_URL: '' }
  return { folder, url, env }
}

async function run(name: string, args: string[], env: Record<string, string>) {
  const script = runScript(name, args, env)
  return { code: await script.ended, output: script.output() }
}

describe('npm run backup and npm run restore', () => {
  it('restores what was backed up, into an empty database alone', async () => {
    const { folder, url, env } = await deployed()
    const out = join(temporaryFolder(), 'a.age')
    const made = await run('backup', ['--out', out], env)
    expect(made, made.output).toMatchObject({ code: 0 })
    expect(made.output).toContain('made  BACKUP_KEY')
    const { BACKUP_KEY } = folder.read(SECRETS) as { BACKUP_KEY: string }
    expect(BACKUP_KEY).toMatch(/^AGE-SECRET-KEY-1/)
    expect(readFileSync(out).includes('wallets')).toBe(false)
    const other = await tools.newDatabase()
    const restored = await run('restore', [out, '--into-database-url'], { ...env, DATABASE_URL: other })
    expect(restored, restored.output).toMatchObject({ code: 0 })
    expect(await contentsOf(other)).toEqual(await contentsOf(url))
    for (const { output } of [made, restored])
      for (const secret of [BACKUP_KEY, new URL(url).password]) expect(output).not.toContain(secret)
    const again = await run('restore', [out, '--into-database-url'], { ...env, DATABASE_URL: other })
    expect(again, again.output).toMatchObject({
      code: 0,
      output: expect.stringContaining('kept  the tables'),
    })
    const full = await run('restore', [out, '--into-database-url'], { ...env, DATABASE_URL: url })
    expect(full).toMatchObject({ code: 1, output: expect.stringContaining('already has tables') })
    const taken = await run('backup', ['--out', out], env)
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining('already exists') })
  })
  it('refuses a pg_dump that is older than the server, and says what to install', async () => {
    const { env } = await deployed()
    const PG_BIN = programs({ pg_dump: OLD, pg_restore: OLD })
    const { code, output } = await run('backup', [], { ...env, PG_BIN })
    expect(code).toBe(1)
    expect(output).toMatch(/pg_dump has version 15, but .* version \d+: install postgresql-client-\d+ /)
    const none = await run('backup', [], { ...env, PG_BIN: temporaryFolder() })
    expect(none.output).toMatch(/There is no pg_dump in .*: install postgresql-client-/)
  })

  it('leaves no file when pg_dump fails, and says why', async () => {
    const { env } = await deployed()
    const dump = `${VERSION}; printf 'PGDMP half of it'; echo 'pg_dump: error: no space' >&2; exit 1`
    const PG_BIN = programs({ pg_dump: dump, pg_restore: VERSION })
    const folder = temporaryFolder()
    const { code, output } = await run('backup', ['--out', join(folder, 'a.age')], { ...env, PG_BIN })
    expect(code).toBe(1)
    expect(output).toContain(
      'pg_dump failed, which says “pg_dump: error: no space”: fix this. Run npm run backup again',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves no complete-looking file when killed, and no password on a command line', async () => {
    const { env, url } = await deployed()
    const folder = temporaryFolder()
    const seen = join(folder, 'seen')
    const dump = `${VERSION}; echo "$@" > ${seen}; head -c 200000 /dev/zero; sleep 60`
    const PG_BIN = programs({ pg_dump: dump, pg_restore: VERSION })
    const script = runScript('backup', ['--out', join(folder, 'a.age')], { ...env, PG_BIN })
    await expect.poll(() => existsSync(join(folder, 'a.age.part'))).toBe(true)
    await script.stop('SIGKILL')
    expect(readdirSync(folder).toSorted()).toEqual(['a.age.part', 'seen'])
    expect(readFileSync(seen, 'utf8')).not.toContain(new URL(url).password)
    const again = await run('backup', ['--out', join(folder, 'a.age')], env)
    expect(again, again.output).toMatchObject({ code: 0 })
    expect(readdirSync(folder).toSorted()).toEqual(['a.age', 'seen'])
  })

  it('refuses a truncated, damaged or foreign backup, and writes nothing', async () => {
    const { env, url } = await deployed()
    const folder = temporaryFolder()
    const [whole, cut, other] = ['whole.age', 'cut.age', 'other.age'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    expect((await run('backup', ['--out', whole], env)).code).toBe(0)
    copyFileSync(whole, cut)
    truncateSync(cut, readFileSync(whole).length - 20)
    const DATABASE_URL = await tools.newDatabase()
    const into = (file: string, ...args: string[]) =>
      run('restore', [file, '--into-database-url', ...args], { ...env, DATABASE_URL })
    const damaged = await into(cut)
    expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining('is damaged or incomplete') })
    const bytes = readFileSync(whole)
    bytes[bytes.length - 1_000] = (bytes[bytes.length - 1_000] ?? 0) ^ 1
    writeFileSync(cut, bytes)
    expect((await into(cut)).output).toContain('is damaged or incomplete')
    writeFileSync(cut, 'no backup')
    expect((await into(cut)).output).toContain('is not a complete backup of npm run backup')
    const identity = await generateX25519Identity()
    writeFileSync(join(folder, 'key.txt'), `# created: today\n${identity}\n`)
    const recipient = await identityToRecipient(identity)
    expect((await run('backup', ['--out', other, '--recipient', recipient], env)).code).toBe(0)
    expect((await into(other)).output).toContain('No key here decrypts')
    expect(Object.keys(await contentsOf(DATABASE_URL))).toEqual([])
    const opened = await into(other, '--identity', join(folder, 'key.txt'))
    expect(opened, opened.output).toMatchObject({ code: 0 })
    expect(await contentsOf(DATABASE_URL)).toEqual(await contentsOf(url))
  })

  it('goes on after a restore was killed while the database was filled', async () => {
    const { env, url } = await deployed()
    const folder = temporaryFolder()
    const out = join(folder, 'a.age')
    expect((await run('backup', ['--out', out], env)).code).toBe(0)
    const DATABASE_URL = await tools.newDatabase()
    // Fills the database, but for its last rows: what was read is not committed.
    const begun = join(folder, 'begun')
    const load = `case "$1" in --list) exec ${tools.folder}/pg_restore "$@";; esac
      (head -c 20000; touch ${begun}; sleep 5) | exec ${tools.folder}/pg_restore "$@"`
    const PG_BIN = programs({ pg_dump: VERSION, pg_restore: load })
    const script = runScript('restore', [out, '--into-database-url'], { ...env, DATABASE_URL, PG_BIN })
    await expect.poll(() => existsSync(begun)).toBe(true)
    await script.stop('SIGKILL')
    await expect.poll(() => contentsOf(DATABASE_URL)).toEqual({})
    const again = await run('restore', [out, '--into-database-url'], { ...env, DATABASE_URL })
    expect(again, again.output).toMatchObject({
      code: 0,
      output: expect.stringContaining('made  the tables'),
    })
    expect(await contentsOf(DATABASE_URL)).toEqual(await contentsOf(url))
  })

  it('refuses to begin by a clock that is wrong', async () => {
    const { folder, env } = await deployed()
    const now = new Date(Date.now() - 3_600_000)
    const options = { out: undefined, recipient: undefined, timeoutMs: 60_000, now }
    const backingUp = backUp({ folder, env, say: () => {} }, options)
    await expect(backingUp).rejects.toThrow(/differ by 36\d\d seconds: correct this machine/)
  })

  it.each(['before', 'after'] as const)(
    'makes one branch when Neon does not answer (%s it has made the change)',
    async (when) => {
      const { folder, env, url } = await deployed()
      const cloud = await startCloud({ url, answer: async () => new Response() })
      const { neon, calls, faults } = cloud
      neon.newDatabase = tools.newDatabase
      neon.projects.push({ id: 'p-1', name: 'acme', region_id: 'aws-us-east-2', pg_version: 17 })
      folder.writeJson('deployment.json', { ...folder.deployment(), neonProject: 'p-1' })
      const said: string[] = []
      const command = { folder, env: { ...cloud.env, ...env }, say: (line: string) => said.push(line) }
      const out = join(temporaryFolder(), 'a.age')
      await backUp(command, { out, recipient: undefined, timeoutMs: 60_000, now: new Date() })
      const options = { file: out, keys: undefined, since: undefined, isIntoUrl: false, timeoutMs: 60_000 }
      for (let lost = 0; ; lost += 1) {
        const from = calls.length
        faults[when] = (_call, index) =>
          index === from + lost ? Response.json({ code: '', message: '' }, { status: 502 }) : undefined
        const stopped = await restore(command, options).then(
          () => undefined,
          (error: Error) => error.message,
        )
        if (stopped === undefined && calls.length <= from + lost) break
        // A branch that was made without an answer is found.
        if (stopped !== undefined) expect(stopped).toMatch(/^Neon failed with 502 while /)
        expect(neon.branches.length).toBeLessThanOrEqual(1)
      }
      expect(neon.branches).toHaveLength(1)
      const [branch] = neon.branches
      expect(await contentsOf(branch?.databases.get('agentcred') ?? '')).toEqual(await contentsOf(url))
      expect(said.at(-1)).toContain(`make ${branch?.name} the default branch in Neon’s console`)
    },
  )

  it('shows readers the events of another server, with higher transaction numbers', async () => {
    const { env, url } = await deployed()
    const database = await openPostgres(url)
    await database.execScript('update events set xid = xid + 1000000000')
    await database.close()
    const out = join(temporaryFolder(), 'a.age')
    expect((await run('backup', ['--out', out], env)).code).toBe(0)
    const DATABASE_URL = await tools.newDatabase()
    const restored = await run('restore', [out, '--into-database-url'], { ...env, DATABASE_URL })
    expect(restored, restored.output).toMatchObject({ code: 0 })
    const { rows } = await query(DATABASE_URL, 'select distinct xid::text from events')
    expect(rows).toEqual([{ xid: '0' }])
  })
})

const VERSION = 'test "$1" = --version && { echo "pg_dump (PostgreSQL) 18.1"; exit; }'
const OLD = 'echo "pg_dump (PostgreSQL) 15.18"'

/** A folder of programs that are these lines of sh. */
function programs(lines: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, line] of Object.entries(lines)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

async function query(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client.query(text).finally(() => client.end())
}
