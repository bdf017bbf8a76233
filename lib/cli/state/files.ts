import { join, sep } from 'node:path'
import type { DeploymentFolder } from '../deploy/deployment.ts'
import type { State } from './table.ts'

/** The files of a deployment's folder in its state. The others can be made again, or hold secrets. */
const FILES = [
  'deployment.json',
  'setup.json',
  'deployed.json',
  'running.json',
  'rotate.json',
  'upgrade.json',
]

/** The file that says which state the folder has. */
const LOCAL = 'state.json'

type Local = Pick<State, 'revision' | 'at'>

/** Wrangler's configurations name files of this clone, which is elsewhere on another machine. */
const CLONE = join(import.meta.dirname, '../../..')
const CLONE_MARK = '<clone>'

const replaced = (value: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one) =>
    typeof one === 'string' && (one === from || one.startsWith(from + sep))
      ? to + one.slice(from.length)
      : one,
  )

/** Returns the folder's files by name, with a placeholder for the clone's path. */
export const filesIn = (folder: DeploymentFolder): State['files'] =>
  Object.fromEntries(
    FILES.flatMap((name) => {
      const content = folder.read(name)
      return content === undefined ? [] : [[name, replaced(content, CLONE, CLONE_MARK)]]
    }),
  )

/** Writes the files of a state. */
export function writeFiles(folder: DeploymentFolder, files: State['files']): void {
  for (const name of FILES)
    if (name in files) folder.writeJson(name, replaced(files[name], CLONE_MARK, CLONE))
    else folder.remove(name)
}

/** @returns revision 0 if the folder has no state */
export const localState = (folder: DeploymentFolder): Local => ({
  revision: 0,
  at: '',
  ...(folder.read(LOCAL) as Local | undefined),
})

/** Records which state the files are of. A run that is killed before this copies the state again. */
export const noteLocal = (folder: DeploymentFolder, { revision, at }: Local): void =>
  folder.writeJson(LOCAL, { revision, at })

/**
 * Returns whether a state is newer than the folder. The same revision with another time is newer, too: the
 * database was restored, and has changed since.
 */
export function isNewer({ revision, at }: Local, folder: DeploymentFolder): boolean {
  const local = localState(folder)
  return revision > local.revision || (revision === local.revision && at !== local.at)
}
