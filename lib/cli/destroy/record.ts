import { configFor, type RawConfig, withNamespaces } from '../deploy/config.ts'
import { DEPLOYMENT, type Deployment, type DeploymentFolder } from '../deploy/deployment.ts'
import { RUNNING, readDeployed } from '../deploy/run.ts'
import type { Source } from '../deploy/source.ts'
import { CommandError } from '../setup/errors.ts'
import { type Journal, nameIn, readJournal, SETUP, workerKey } from '../setup/journal.ts'
import { readUpgradeJournal } from '../upgrade/journal.ts'

/** A deployment as its folder describes it. */
export type Recorded = {
  name: string
  /** Undefined if the first setup was interrupted before it wrote this. */
  deployment: Deployment | undefined
  journal: Journal
  /** The names of the uploaded Workers. */
  workers: Set<string>
}

/** Reads the records of setup. @returns undefined if there are none @throws CommandError */
export function readRecord(folder: DeploymentFolder, { base }: Source): Recorded | undefined {
  const deployment = folder.read(DEPLOYMENT) === undefined ? undefined : folder.deployment()
  if (deployment !== undefined && folder.read(SETUP) === undefined)
    throw new CommandError(`${folder.path(SETUP)} is missing. It lists what setup made: put it back.`)
  const journal = readJournal(folder)
  const name = deployment?.name ?? nameIn(journal)
  if (name === undefined) return undefined
  const running = folder.read(RUNNING) as RawConfig | undefined
  // An interrupted upgrade may have made a Worker without recording it.
  const brought =
    deployment && readUpgradeJournal(folder)
      ? configFor(base, withNamespaces(base, deployment), (path) => path)
      : undefined
  const prefix = workerKey('')
  const workers = new Set([
    ...journal.begun.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : [])),
    ...[running, brought].flatMap((config) => Object.values(config?.env ?? {}).map((one) => one.name)),
    ...Object.keys(readDeployed(folder)).map((group) => `${name}-${group}`),
  ])
  return { name, deployment, journal, workers }
}

/** The other files that setup, upgrades and rotations write, except keys. */
const FILES = [
  ...['deployed.json', 'running.json', 'wrangler.json', 'planned.json', 'before.json', 'upload.json'],
  ...['upgrade.json', 'releases', 'rotate.json', 'restore.json', 'state.json', '.wrangler'],
]

/** Removes a deployment's files, except its keys; the list of the things that setup made goes last. */
export function forget(folder: DeploymentFolder): void {
  for (const file of [...FILES, DEPLOYMENT, SETUP]) folder.remove(file)
}
