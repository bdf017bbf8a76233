import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import type { PostgresBinaries } from '../support/postgres-process.ts'
import { serverAccount } from '../support/postgres-process.ts'
import { canRun, findPrograms } from '../support/postgres-programs.ts'
import { startPostgres } from '../support/postgres-server.ts'

const SELECT = [{ query: 'SELECT 1', params: [] }]

async function temporaryFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, mode)
  return folder
}

/** The programs, below a folder that only our own user may enter. */
async function closedPrograms(): Promise<PostgresBinaries> {
  const folder = await temporaryFolder(0o700)
  await cp(join(dirname((await findPrograms()).initdb), '..'), join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const bin = join(folder, 'native/bin')
  return { initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl') }
}

test('runs the tests’ Postgres from a private folder, and leaves no copy', async () => {
  const programs = await closedPrograms()
  const account = await serverAccount()
  // Only root starts Postgres as another user, who must not be let in for it.
  expect(await canRun(programs, account)).toBe(account.uid === undefined)
  const tmp = await temporaryFolder(0o1777)
  vi.stubEnv('TMPDIR', tmp)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })

  const server = await startPostgres({ programs })
  const made = await Promise.all((await readdir(tmp)).map((name) => stat(join(tmp, name))))
  expect(made).toHaveLength(account.uid === undefined ? 1 : 2)
  for (const { mode } of made) expect(mode & 0o777).toBe(0o700)
  const engine = await openPostgres(server.url('postgres'))
  expect(await engine.run(SELECT)).toMatchObject([{ rows: [['1']] }])
  await engine.close()
  await server.stop()
  expect(await readdir(tmp)).toEqual([])
  expect(await canRun(programs, account)).toBe(account.uid === undefined)
})

test('a killed process leaves no copy of Postgres’ programs behind', async () => {
  const programs = await closedPrograms()
  const module = new URL('../support/postgres-server.ts', import.meta.url)
  const script = `const { startPostgres } = await import('${module}')
    await startPostgres({ programs: ${JSON.stringify(programs)} })
    process.kill(process.pid, 'SIGKILL')`
  const tmp = await temporaryFolder(0o1777)
  const env = { ...process.env, TMPDIR: tmp }
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect((await run.catch((error) => error)).signal).toBe('SIGKILL')
  await expect.poll(() => readdir(tmp)).toEqual([])
})
