import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { rowsOf } from '../../migrations/migrator.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { generateBackupKey, recipientOf } from '../../tools/keys/backup.ts'
import type { Command } from '../deploy/command.ts'
import { DEPLOYMENT, SECRETS } from '../deploy/deployment.ts'
import { CommandError, RetryableError } from '../setup/errors.ts'
import { readSecrets } from '../setup/keys.ts'
import { urlsOf } from '../setup/neon.ts'
import { openNeon } from '../setup/neon-client.ts'
import { encrypt } from './encryption.ts'
import { findPrograms, libpqEnv } from './programs.ts'
import { SCHEMAS, withAwake } from './server.ts'

type BackupOptions = {
  /** The file to write; by default one in the deployment's folder, named after the time. */
  out: string | undefined
  /** The age recipient to encrypt for; by default BACKUP_KEY's in secrets.json. */
  recipient: string | undefined
  timeoutMs: number
  now: Date
}

/**
 * Writes an encrypted dump of the deployment's database into one file. No clear text reaches the disk. The
 * file gets its name once it is complete.
 * @returns the file
 * @throws CommandError with one sentence that says what to do
 */
export async function backUp({ folder, env, say }: Command, options: BackupOptions): Promise<string> {
  const { timeoutMs, now } = options
  const name = folder.read(DEPLOYMENT) === undefined ? 'agentcred' : folder.deployment().name
  const time = now.toISOString().replaceAll(':', '-').slice(0, 19)
  const out = resolve(options.out ?? folder.path(`backups/${name}-${time}Z.dump.age`))
  if (existsSync(out)) throw new CommandError(`${out} already exists: name another file with --out.`)
  const recipient = options.recipient ?? (await ownRecipient({ folder, env, say }))
  const url = await urlOf({ folder, env, say }, timeoutMs)
  const version = await withAwake(url, timeoutMs, async (database, version) => {
    await requireSameTime(database, now)
    return version
  })
  const { dump } = await findPrograms(env, version)
  const part = `${out}.part`
  try {
    mkdirSync(dirname(out), { recursive: true, mode: 0o700 })
    const encrypted = await encrypt(dumped(dump, url), recipient)
    await pipeline(encrypted, createWriteStream(part, { mode: 0o600, flush: true }))
    renameSync(part, out)
  } catch (error) {
    rmSync(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new CommandError(
      `${part} can’t be written (${code}): free some space, or name another place with --out.`,
    )
  }
  const { size } = statSync(out)
  say(`made  ${out}: ${(size / 1e6).toFixed(1)} MB, encrypted for ${recipient}`)
  return out
}

/** A backup has this machine's time of its beginning, and a restore reads the chain from then on. */
const PRECISION_MS = 60_000

async function requireSameTime(database: SqlDatabase, now: Date): Promise<void> {
  const [row] = await rowsOf(database, 'select (extract(epoch from clock_timestamp()) * 1000)::bigint')
  const apart = Math.round(Math.abs(now.getTime() - Number(row?.[0])) / 1_000)
  if (apart * 1_000 > PRECISION_MS)
    throw new CommandError(
      `The clocks of this machine and of the database differ by ${apart} seconds: correct this machine’s clock, because a backup records when it began.`,
    )
}

/** Yields the output of pg_dump. @throws RetryableError if it fails before its end */
async function* dumped(program: string, url: string): AsyncGenerator<Uint8Array> {
  const schemas = SCHEMAS.map((schema) => `--schema=${schema}`)
  // A restore sets owners and rights itself.
  const what = ['--format=custom', '--no-owner', '--no-privileges', '--no-password', ...schemas]
  const child = spawn(program, what, { env: libpqEnv(url), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  // Handled below, after its output.
  ended.catch(() => {})
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  try {
    yield* child.stdout
    const [code] = await ended
    if (code !== 0) throw new RetryableError(`pg_dump failed${lastLineOf(said)}: fix this.`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the last line of a program's output, as a part of a sentence. */
export const lastLineOf = (said: string): string => {
  const last = said.trim().split('\n').at(-1)
  return last ? `, which says “${last}”` : ''
}

/** Returns the recipient of BACKUP_KEY. Makes the key if an older release made the deployment without one. */
async function ownRecipient({ folder, say }: Command): Promise<string> {
  const { BACKUP_KEY } = readSecrets(folder)
  if (BACKUP_KEY) return recipientOf(BACKUP_KEY)
  if (folder.read(SECRETS) === undefined)
    throw new CommandError(
      `${folder.path(SECRETS)} is missing: put it back, or name a public key to encrypt for with --recipient.`,
    )
  return folder.alone(async () => {
    const secrets = readSecrets(folder)
    const made = secrets.BACKUP_KEY ? secrets : { ...secrets, ...(await generateBackupKey()) }
    folder.writeJson(SECRETS, made)
    say(
      `made  BACKUP_KEY in ${folder.path(SECRETS)}: copy that file offline again. Only this key decrypts backups.`,
    )
    return recipientOf(made.BACKUP_KEY ?? '')
  })
}

/** Finds the owner's direct URL: in the environment, in secrets.json, or at Neon. */
async function urlOf({ folder, env }: Command, timeoutMs: number): Promise<string> {
  const known = env.DATABASE_URL || readSecrets(folder).DATABASE_URL
  if (known) return known
  const { neonProject } = folder.deployment()
  if (neonProject === undefined) throw new CommandError('Set DATABASE_URL to the direct URL of the database.')
  return (await urlsOf(openNeon(env, { timeoutMs }), neonProject)).direct
}
