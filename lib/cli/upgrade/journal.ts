import { isSame, type Release } from '../../migrations/release.ts'
import type { RawConfig } from '../deploy/config.ts'
import type { DeploymentFolder } from '../deploy/deployment.ts'
import { readDeployed } from '../deploy/run.ts'
import { UPGRADE } from '../setup/same-code.ts'
import type { Step } from './plan.ts'
import { mainOf } from './versions.ts'
import type { Work } from './work.ts'

/** The state to go back to if a run fails. It is written before the first change, and removed at the end. */
export type UpgradeJournal = {
  /** The release that ran when the run began, and the release to bring. */
  from: Release
  to: Release
  isRollback: boolean
  /** The release of a killed rollback that deployed some of its Workers; this run goes forward instead. */
  half?: Release
  /** When the run began: a part of the tags of its versions. */
  begun: string
  /** The version of each Worker that ran then. For a Worker that was deployed directly, the new version. */
  before: { group: string; name: string; id: string }[]
  /** The configuration of these versions, and their hashes by group. */
  config: RawConfig
  deployed: Record<string, string>
  /** The groups whose triggers have changed. */
  triggers: string[]
}

/** Reads the state that a killed run left. Release 1.0.0 left the file after a completed run, too. */
export function readUpgradeJournal(folder: DeploymentFolder): UpgradeJournal | undefined {
  const known = folder.read(UPGRADE) as (UpgradeJournal & { isDone?: boolean }) | undefined
  return known?.isDone ? undefined : known
}

export const writeUpgradeJournal = (folder: DeploymentFolder, journal: UpgradeJournal): void =>
  folder.writeJson(UPGRADE, journal)

export const removeUpgradeJournal = (folder: DeploymentFolder): void => folder.remove(UPGRADE)

/** The release to bring, and the state at the beginning. */
type Start = Pick<UpgradeJournal, 'from' | 'to' | 'isRollback' | 'config' | 'deployed'>

/**
 * Returns the configuration and hashes of the Workers that ran when the run began. After a kill they are in
 * the journal: at its end a run overwrites the files with its own.
 * @param running the configuration of the Workers that run now
 */
export function startOf(
  folder: DeploymentFolder,
  from: Release,
  running: RawConfig,
): Pick<Start, 'config' | 'deployed'> {
  const known = readUpgradeJournal(folder)
  return known && isSame(known.from, from)
    ? { config: known.config, deployed: known.deployed }
    : { config: running, deployed: readDeployed(folder) }
}

/** Records what runs before a run changes it, or goes on with the record of a killed run. */
export async function beginUpgradeJournal(
  { folder, versions, clock }: Pick<Work, 'folder' | 'versions' | 'clock'>,
  steps: Step[],
  start: Start,
): Promise<UpgradeJournal> {
  const known = readUpgradeJournal(folder)
  const isKilled = known !== undefined && isSame(known.from, start.from)
  const before = isKilled ? known.before : []
  for (const { worker, kind } of steps) {
    const { group, name } = worker
    if (kind === 'new' || before.some((one) => one.group === group)) continue
    const id = mainOf(await versions.shares(name))
    if (id !== undefined) before.push({ group, name, id })
  }
  const begun = (isKilled ? known.begun : undefined) ?? clock().toISOString()
  const triggers = isKilled ? known.triggers : []
  const half = isKilled && !start.isRollback ? (known.isRollback ? known.to : known.half) : undefined
  const journal: UpgradeJournal = { ...start, begun, before, triggers, ...(half && { half }) }
  writeUpgradeJournal(folder, journal)
  return journal
}
