import { hostname } from 'node:os'
import { openPostgres } from '../../migrations/postgres.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import type { Command } from '../deploy/command.ts'
import { DEPLOYMENT, type DeploymentFolder, SECRETS } from '../deploy/deployment.ts'
import type { Source } from '../deploy/source.ts'
import { CommandError } from '../setup/errors.ts'
import { alone } from '../setup/lock.ts'
import { wordsOf } from '../setup/neon.ts'
import { filesIn, isNewer, localState, noteLocal, writeFiles } from './files.ts'
import { differingFrom, lastChange, notedIn } from './prints.ts'
import { readState, type State, writeState } from './table.ts'

/** Writes the present state to the database, if anything has changed. @throws CommandError */
export type Keep = () => Promise<void>

/** A command with its source, since the state names the release whose code ran. */
export type Steered = Command & { source: Source }

export type Steering = {
  /** The owner's direct URL of the deployment's database. */
  url: string
  /** The command line to repeat: npm run rotate -- session. */
  by: string
  /** Only reads: takes no lock, and changes neither files nor state. */
  isPlan?: boolean
  /** Works although another command holds the lock. */
  isBesideOthers?: boolean
  /** Accepts an older secrets.json, if the newer one is lost. */
  takesSecrets?: boolean
  clock?: () => Date
}

/**
 * Does the work of a command that changes a deployment, on any machine. It excludes other commands, and has
 * the files of the last one. It writes the state to the database when the work ends or fails; `keep` also
 * writes it before a step that can't be undone. A run that was killed goes on with its own files, unless
 * another machine has changed the deployment since.
 * @throws CommandError if secrets.json is older than the deployment
 */
export function steer<T>(command: Steered, steering: Steering, work: (keep: Keep) => Promise<T>): Promise<T> {
  const { folder, say } = command
  const { url, isPlan, isBesideOthers, takesSecrets = false } = steering
  const run = async () => {
    const database = await openPostgres(url)
    try {
      const state = await stateIn(database)
      if (isPlan) {
        requireNewest(folder, state)
        return await work(async () => {})
      }
      if (state) takeOver(folder, state, say, takesSecrets)
      const keep = keeperOf(command, steering, database, state)
      const result = await work(keep).catch(async (error) => {
        await keep().catch(() => {})
        throw error
      })
      await keep()
      return result
    } finally {
      await database.close()
    }
  }
  return isPlan || isBesideOthers ? run() : alone(url, run)
}

/** Reads the state. @throws CommandError if the database does not answer */
export const stateIn = (database: SqlDatabase): Promise<State | undefined> =>
  readState(database).catch((cause) => {
    throw cause instanceof Error && cause.name === 'EngineUnavailable'
      ? new CommandError('The database accepts no connections: check it in Neon’s console.', { cause })
      : cause
  })

/** @throws CommandError if a new deployment would take the database of another one */
export async function requireNoState({ folder }: Command, database: SqlDatabase): Promise<void> {
  const state = await stateIn(database)
  if (state)
    throw new CommandError(
      `The database belongs to a deployment, which ${madeBy(state)}: run npm run setup -- --adopt to copy its files to ${folder.folder}.`,
    )
}

/** @throws CommandError if the files are older than the deployment, since a plan would be wrong */
function requireNewest(folder: DeploymentFolder, state: State | undefined): void {
  if (state && isNewer(state, folder))
    throw new CommandError(
      `The files in ${folder.folder} are older than the deployment, which ${madeBy(state)}: run npm run setup -- --adopt to copy the newer ones.`,
    )
}

function takeOver(folder: DeploymentFolder, state: State, say: Command['say'], takesSecrets: boolean): void {
  const { revision } = localState(folder)
  if (!isNewer(state, folder)) {
    if (revision > state.revision)
      say('note  the database is older than the files here; the files are used as they are')
    return
  }
  if (!takesSecrets) requireSecretsOf(folder, state)
  writeFiles(folder, state.files)
  noteLocal(folder, state)
  say(`take  the files of the deployment, which ${madeBy(state)}`)
}

/** @throws CommandError that names the missing or different secrets, and the machine that has them */
export function requireSecretsOf(folder: DeploymentFolder, { secrets }: State): void {
  const differing = differingFrom(secrets, secretsIn(folder))
  const last = lastChange(secrets, differing)
  if (last)
    throw new CommandError(
      `${differing.join(', ')} of ${folder.path(SECRETS)} differ from the deployment, which ${madeBy(last)}: copy secrets.json of that machine here. If it is lost, run npm run setup -- --these-secrets, which deploys the secrets that are here.`,
    )
}

const secretsIn = (folder: DeploymentFolder) => (folder.read(SECRETS) ?? {}) as Record<string, string>

/** Describes the last change: "npm run rotate -- session changed on laptop at 2026-11-26T10:00:00.000Z". */
export const madeBy = ({ by, machine, at }: Pick<State, 'by' | 'machine' | 'at'>): string =>
  `${by} changed on ${machine} at ${at}`

function keeperOf(
  { folder, source }: Steered,
  { by, clock = () => new Date() }: Steering,
  database: SqlDatabase,
  before: State | undefined,
): Keep {
  const { version, commit = null } = source.release
  const machine = hostname()
  let known = before
  const write = (state: State) =>
    writeState(database, state, known?.revision ?? 0).catch((cause) => {
      throw new CommandError(
        `The state of the deployment could not be written to its database (${wordsOf(cause)}): run ${by} again.`,
      )
    })
  return async () => {
    const files = filesIn(folder)
    // Nothing exists yet that another machine could go on with.
    if (files[DEPLOYMENT] === undefined) return
    const at = clock().toISOString()
    const secrets = notedIn(known?.secrets ?? {}, secretsIn(folder), { at, by, machine })
    const local = localState(folder).revision
    if (!known || local > known.revision || !isSame(known, { files, secrets })) {
      const revision = Math.max(local, known?.revision ?? 0) + 1
      const state: State = { revision, at, by, machine, version, commit, files, secrets }
      if (!(await write(state)))
        throw new CommandError(`Another command changed the deployment at the same time: run ${by} again.`)
      known = state
    }
    if (isNewer(known, folder)) noteLocal(folder, known)
  }
}

type Contents = Pick<State, 'files' | 'secrets'>

const isSame = (a: Contents, b: Contents): boolean =>
  JSON.stringify([a.files, a.secrets]) === JSON.stringify([b.files, b.secrets])
