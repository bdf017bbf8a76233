import { join, sep } from 'node:path'
import type { DeploymentFolder } from '../deploy/deployment.ts'
import type { State } from './table.ts'

/** The files of a deployment's folder that its state holds; the others are made anew or hold secrets. */
const FILES = [
  'deployment.json',
  'setup.json',
  'deployed.json',
  'running.json',
  'rotate.json',
  'upgrade.json',
]

/** Which state the folder's files are of. */
const LOCAL = 'state.json'

type Local = Pick<State, 'revision' | 'at'>

/** Wrangler's configurations name files of this clone; on another machine it may be elsewhere. */
const CLONE = join(import.meta.dirname, '../../..')
const PLACE = '<clone>'

const replaced = (value: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one) =>
    typeof one === 'string' && (one === from || one.startsWith(from + sep))
      ? to + one.slice(from.length)
      : one,
  )

/** The files that are there, by name, with the clone's place left open. */
export const filesIn = (folder: DeploymentFolder): State['files'] =>
  Object.fromEntries(
    FILES.flatMap((name) => {
      const content = folder.read(name)
      return content === undefined ? [] : [[name, replaced(content, CLONE, PLACE)]]
    }),
  )

/** Brings the files to what a state says. */
export function writeFiles(folder: DeploymentFolder, files: State['files']): void {
  for (const name of FILES)
    if (name in files) folder.writeJson(name, replaced(files[name], PLACE, CLONE))
    else folder.remove(name)
}

/** @returns revision 0 where the folder is of no state */
export const localState = (folder: DeploymentFolder): Local => ({
  revision: 0,
  at: '',
  ...(folder.read(LOCAL) as Local | undefined),
})

/** Notes which state the files are of. Killed before it, a run finds the files of that state again. */
export const noteLocal = (folder: DeploymentFolder, { revision, at }: Local): void =>
  folder.writeJson(LOCAL, { revision, at })

/**
 * Whether a state is newer than the folder. One of the same revision is another one where the database was
 * restored and has gone on since.
 */
export function isNewer({ revision, at }: Local, folder: DeploymentFolder): boolean {
  const local = localState(folder)
  return revision > local.revision || (revision === local.revision && at !== local.at)
}
