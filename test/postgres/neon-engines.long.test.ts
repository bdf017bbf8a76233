import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { openPglite } from '../../lib/local/neon/pglite.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { sqlRequest } from '../support/neon.ts'
import { startPostgres } from '../support/postgres-server.ts'

// What starts, kills or crashes a database of its own.

describe('the PGlite engine', () => {
  test('keeps its data in the folder and lets only one open it', async () => {
    const folder = join(await temporaryFolder(), 'state', 'pglite')
    const first = await openPglite(folder)
    await first.execScript('CREATE TABLE t (id int); INSERT INTO t VALUES (5)')
    await expect(openPglite(folder)).rejects.toThrow(`in use by process ${process.pid}`)
    await first.close()

    const second = await openPglite(folder)
    onTestFinished(() => second.close())
    expect(await second.run([{ query: 'SELECT id FROM t', params: [] }])).toMatchObject([{ rows: [['5']] }])
  })

  test('has lost the connection from then on when PGlite itself crashes', async () => {
    const engine = await openPglite()
    onTestFinished(() => engine.close())
    await engine.execScript(
      'CREATE FUNCTION endless(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN endless(n + 1); END $$',
    )
    const handle = neonHandler(engine)
    for (const query of ['SELECT endless(1)', 'SELECT 1']) {
      const response = await handle(sqlRequest(query))
      expect(response.status).toBe(400)
      const message = 'connection closed: Database unavailable (PGlite crashed)'
      expect(await response.json()).toMatchObject({ message, code: '', detail: null })
    }
  })
})

describe('the local Postgres server', () => {
  test('copies a database', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    await postgres.createDatabase('model "db"')
    const model = await openPostgres(postgres.url('model "db"'))
    await model.execScript('CREATE TABLE t AS SELECT 5 AS id')
    await model.close()
    await postgres.createDatabase('copy', 'model "db"')
    const copy = await openPostgres(postgres.url('copy'))
    onTestFinished(() => copy.close())
    expect(await copy.run([{ query: 'SELECT id FROM t', params: [] }])).toMatchObject([{ rows: [['5']] }])
  })

  test('keeps the data of a folder, and stops for good', async () => {
    const folder = await temporaryFolder()
    const first = await startPostgres({ folder })
    await first.createDatabase('kept')
    await expect(startPostgres({ folder })).rejects.toThrow('another server might be running')
    const engine = await openPostgres(first.url('kept'))
    onTestFinished(() => engine.close())
    await engine.execScript('CREATE TABLE t AS SELECT 5 AS id')
    await first.stop()
    expect((await neonHandler(engine)(sqlRequest('SELECT 1'))).status).toBe(500)

    const second = await startPostgres({ folder })
    const again = await openPostgres(second.url('kept'))
    expect(await again.run([{ query: 'SELECT id FROM t', params: [] }])).toMatchObject([{ rows: [['5']] }])
    await again.close()
    await second.stop()
    await second.stop()
  })
})

test('a killed process leaves neither a Postgres nor its data behind', async () => {
  const module = new URL('../support/postgres-server.ts', import.meta.url)
  const script = `const { startPostgres } = await import('${module}')
    console.log((await startPostgres()).url('postgres'))
    process.kill(process.pid, 'SIGKILL')`
  const tmp = await temporaryFolder()
  await chmod(tmp, 0o1777)
  const env = { ...process.env, TMPDIR: tmp }
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  const { stdout, signal } = await run.catch((error) => error)
  expect(signal).toBe('SIGKILL')
  const engine = await openPostgres(stdout.trim())
  onTestFinished(() => engine.close())
  const outcome = () => engine.run([{ query: 'SELECT 1', params: [] }]).catch(String)
  await expect.poll(outcome).toContain('ECONNREFUSED')
  await expect.poll(() => readdir(tmp)).toEqual([])
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-test-'))
  // Postgres runs as another user when the tests run as root.
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
