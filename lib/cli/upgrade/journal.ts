import { isSame, type Release } from '../../local/neon/release.ts'
import type { RawConfig } from '../deploy/config.ts'
import type { DeploymentFolder } from '../deploy/deployment.ts'
import { readDeployed } from '../deploy/run.ts'
import type { Step } from './plan.ts'
import { mainOf } from './versions.ts'
import type { Work } from './work.ts'

/** What an upgrade goes back to, written down before it changes anything; kept for a rollback afterwards. */
export type Journal = {
  from: Release
  /** The version of each Worker that ran before. */
  before: { group: string; name: string; id: string }[]
  /** What wrangler got for them, and hashes of it by group. */
  config: RawConfig
  deployed: Record<string, string>
  /** The groups whose triggers have changed. */
  triggers: string[]
  isDone: boolean
}

const FILE = 'upgrade.json'

export const readJournal = (folder: DeploymentFolder): Journal | undefined =>
  folder.read(FILE) as Journal | undefined

export const writeJournal = (folder: DeploymentFolder, journal: Journal): void =>
  folder.writeJson(FILE, journal)

export const removeJournal = (folder: DeploymentFolder): void => folder.remove(FILE)

/**
 * Writes down what runs before an upgrade, or goes on with what a run that was killed wrote down.
 * @param config what wrangler got for the Workers that run
 */
export async function beginJournal(
  { folder, versions }: Work,
  steps: Step[],
  from: Release,
  config: RawConfig,
): Promise<Journal> {
  const known = readJournal(folder)
  const isKilled = known !== undefined && !known.isDone && isSame(known.from, from)
  const before = isKilled ? known.before : []
  for (const { worker, kind } of steps) {
    const { group, name } = worker
    if (kind === 'new' || before.some((one) => one.group === group)) continue
    const id = mainOf(await versions.shares(name))
    if (id !== undefined) before.push({ group, name, id })
  }
  const journal: Journal = isKilled
    ? { ...known, before }
    : { from, before, config, deployed: readDeployed(folder), triggers: [], isDone: false }
  writeJournal(folder, journal)
  return journal
}
