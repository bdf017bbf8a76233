import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { CommandError, RetryableError } from '../setup/errors.ts'
import { lastLineOf } from './dump.ts'
import { decrypt } from './encryption.ts'
import { libpqEnv } from './programs.ts'

/**
 * Reads the header of a backup.
 * @returns when pg_dump began, by the clock of its machine: before the first row was read
 * @throws CommandError if the file can't be opened, or is of a later pg_dump
 */
export async function listed(program: string, file: string, identities: string[]): Promise<{ at: Date }> {
  const { said, isDamaged } = await run(program, ['--list'], file, identities)
  const [, time] = /Archive created at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/.exec(said) ?? []
  if (time === undefined && isDamaged) throw damaged(file)
  if (time === undefined)
    throw new CommandError(
      `${program} can't read ${file}${lastLineOf(said)}: install the version that made it or a later one, or set PG_BIN.`,
    )
  return { at: new Date(`${time.replace(' ', 'T')}Z`) }
}

/**
 * Fills an empty database with a backup, in one transaction.
 * @throws RetryableError; the database stays empty then
 */
export async function restored(
  program: string,
  file: string,
  identities: string[],
  url: string,
): Promise<void> {
  const env = libpqEnv(url)
  const once = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password']
  const args = [...once, `--dbname=${env.PGDATABASE}`]
  const { code, said, isDamaged } = await run(program, args, file, identities, env)
  if (isDamaged) throw damaged(file)
  if (code !== 0)
    throw new RetryableError(`pg_restore failed${lastLineOf(said)}: fix this. The database is still empty.`)
}

const damaged = (file: string) =>
  new CommandError(`${file} is damaged or incomplete: use another copy of it. Nothing was restored.`)

/** Runs pg_restore on a decrypted file. @returns its output, and whether the file is damaged */
async function run(
  program: string,
  args: string[],
  file: string,
  identities: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string; isDamaged: boolean }> {
  const source = await decrypt(file, identities)
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  // The pipe breaks when pg_restore has read enough, or has failed. Its exit code says which.
  let isBroken = false
  child.stdin.on('error', () => {
    isBroken = true
  })
  let isDamaged = false
  source.on('error', () => {
    if (isBroken) return
    isDamaged = true
    // Before its input ends: it must not accept a part as the whole.
    child.kill('SIGKILL')
  })
  await pipeline(source, child.stdin).catch(() => {})
  const [code] = await ended
  return { code: code ?? 1, said, isDamaged }
}
