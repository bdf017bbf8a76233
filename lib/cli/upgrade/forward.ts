import { applyMigrations, NotYet, planMigrations, UnknownMigration } from '../../migrations/migrations.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import {
  dropOtherFunctions,
  formerRelease,
  isSame,
  type Release,
  recordRelease,
} from '../../migrations/release.ts'
import { kvBindings, type RawConfig, withNamespaces } from '../deploy/config.ts'
import { openLogins, urlsOfGroups } from '../deploy/database-urls.ts'
import { DEPLOYMENT, type Deployment } from '../deploy/deployment.ts'
import {
  type Made,
  makeConfig,
  RUNNING,
  recordSettings,
  requireSettings,
  writeDeployed,
} from '../deploy/run.ts'
import { type CloudflareClient, makeNamespaces, makeQueue, namespaceOf } from '../setup/cloudflare.ts'
import { CommandError } from '../setup/errors.ts'
import { createMaker } from '../setup/journal.ts'
import { makeKeys, movesOffline, planKeys, readSecrets } from '../setup/keys.ts'
import type { urlsOf } from '../setup/neon.ts'
import { unbuildable } from '../setup/same-code.ts'
import { changedSecrets } from '../state/prints.ts'
import { requirePersistentFolder } from '../state/runner.ts'
import { giveUp } from './back.ts'
import { bring } from './bring.ts'
import { beginUpgradeJournal, readUpgradeJournal, removeUpgradeJournal, startOf } from './journal.ts'
import { planWorkers, type Step } from './plan.ts'
import type { Work } from './work.ts'

/** The configuration that a plan writes and removes. */
export const PLANNED = 'planned.json'

type Planned = {
  steps: Step[]
  migrations: string[]
  hasFunctions: boolean
  /** The release that ran when the run began, and the recorded one. */
  from: Release
  running: Release
  release: Release
  keys: string[]
  /** The names of new KV namespaces. */
  namespaces: string[]
  isNothing: boolean
}

/**
 * Reads everything that decides whether the upgrade is possible.
 * @param config the configuration of the Workers that run
 * @throws CommandError before anything is written
 */
export async function plan(work: Work, database: SqlDatabase, config: RawConfig): Promise<Planned> {
  const { folder, env, source, versions } = work
  const { pending, running, hasFunctions } = await planMigrations(database, source.migrations).catch(
    (error) => {
      if (error instanceof NotYet) throw new CommandError(`${error.message}. Nothing was changed.`)
      throw error instanceof UnknownMigration ? new CommandError(`${error.message}.`) : error
    },
  )
  if (running === undefined) throw new CommandError(UNFINISHED)
  const { release } = source
  const journal = readUpgradeJournal(folder)
  // A run that was killed at its end has recorded that this release runs.
  const from = journal && isSame(running, release) ? journal.from : running
  const deployment = folder.deployment()
  const bindings = newBindings(deployment, source.base)
  const {
    config: made,
    all,
    hashes,
  } = makeConfig(folder, source, PLANNED, withNamespaces(source.base, deployment))
  const there = await versions.scripts()
  const { deployed } = startOf(folder, from, config)
  const steps = planWorkers(all, { config: made, there, hashes, deployed })
  const { made: keys } = await planKeys(folder, env, deployment)
  const isNothing =
    pending.length === 0 &&
    hasFunctions &&
    steps.every(({ kind }) => kind === 'kept') &&
    isSame(running, release) &&
    bindings.length === 0 &&
    journal === undefined
  const migrations = pending.map(({ tag }) => tag)
  const namespaces = bindings.map((binding) => namespaceOf(deployment.name, binding))
  return { steps, migrations, hasFunctions, from, running, release, keys, namespaces, isNothing }
}

/** Returns the bindings whose KV namespaces this release adds. */
const newBindings = ({ kv }: Deployment, base: RawConfig): string[] =>
  kvBindings(base).filter((binding) => !(binding in kv))

export const UNFINISHED =
  'npm run setup has not finished for this deployment: run it again with the code that it began with.'

const WORDS = { new: 'new: deploy it', class: 'new Durable Object class: deploy it', version: 'new version' }

/** Returns what an upgrade would do, a line for each step. */
export const linesOf = (
  { steps, migrations, hasFunctions, from, release, keys, namespaces }: Planned,
  { source }: Work,
): string[] => [
  `release ${from.version} runs; release ${release.version} will replace it`,
  ...unbuildable(source),
  ...(keys.length > 0 ? [`make  keys: ${keys.join(', ')}`] : []),
  ...namespaces.map((name) => `make  the KV namespace ${name}`),
  ...migrations.map((tag) => `migration ${tag}`),
  ...(hasFunctions ? [] : [`functions in ${release.apiSchema}`]),
  ...steps.flatMap(({ worker, kind }) =>
    kind === 'kept' || kind === 'stays' ? [] : [`${worker.name}  ${WORDS[kind]}`],
  ),
]

const queuesOf = ({ env }: RawConfig): string[] =>
  Object.values(env).flatMap(({ queues }) => queues?.consumers?.map(({ queue }) => queue) ?? [])

/** Carries out a plan. @param config the configuration of the Workers that run */
export async function carryOut(
  work: Work,
  database: SqlDatabase,
  cloudflare: CloudflareClient,
  urls: Awaited<ReturnType<typeof urlsOf>>,
  { from, running, release, keys: newKeys }: Planned,
  config: RawConfig,
): Promise<void> {
  const { folder, env, source, say, keep, versions } = work
  const logins = { DATABASE_URL: urls.direct, ...urlsOfGroups(urls.pooled, readSecrets(folder)) }
  const changing = [...newKeys, ...changedSecrets(readSecrets(folder), logins)]
  if (changing.length > 0) requirePersistentFolder(env, changing, 'npm run upgrade')
  const deployment = folder.deployment()
  const keys = await makeKeys(folder, env, deployment, logins)
  const { name, accountId, kv } = deployment
  const maker = createMaker(folder, false, say)
  const bindings = newBindings(deployment, source.base)
  const added = await makeNamespaces(cloudflare, accountId, maker, { name, bindings })
  folder.writeJson(DEPLOYMENT, {
    ...deployment,
    kv: { ...kv, ...added },
    vars: { ...deployment.vars, ...keys },
  })
  const made = makeConfig(folder, source)
  await requireSettings(made.all, made)
  const queues = queuesOf(config)
  for (const queue of new Set(queuesOf(made.config)))
    if (!queues.includes(queue)) await makeQueue(cloudflare, accountId, maker, queue)
  const start = startOf(folder, from, config)
  // Plan again: keys and connection strings may have changed since the plan.
  const known = { config: made.config, there: await versions.scripts(), hashes: made.hashes }
  const steps = planWorkers(made.all, { ...known, deployed: start.deployed })
  const journal = await beginUpgradeJournal(work, steps, { from, to: release, isRollback: false, ...start })
  await keep()
  try {
    // This includes the grants.
    await applyMigrations(database, source.migrations, journal.half)
    await openLogins(urls.direct, logins)
    say('the database is migrated')
    await bring(work, made, steps, journal)
  } catch (error) {
    await giveUp(work, steps, journal, error, isSame(running, from) ? undefined : database)
  }
  if (newKeys.length > 0) for (const line of movesOffline(folder, keys)) say(line)
  const former = await finish(work, made, database)
  const back = former ? ` Back to ${former.version}: npm run upgrade -- --rollback` : ''
  say(`Release ${release.version} runs.${back}`)
}

/**
 * Records the release that runs now. A run that is killed here repeats this step.
 * @returns the release before
 */
async function finish(work: Work, made: Made, database: SqlDatabase): Promise<Release | undefined> {
  const { folder, source, say, clock } = work
  const { release } = source
  await recordSettings(made.all, made.env)
  writeDeployed(folder, made.hashes)
  folder.writeJson(RUNNING, made.config)
  await recordRelease(database, release, clock())
  const former = await formerRelease(database)
  const schemas = [release, ...(former ? [former] : [])].map(({ apiSchema }) => apiSchema)
  for (const schema of await dropOtherFunctions(database, schemas))
    say(`dropped the functions in ${schema}, which no Worker calls any more`)
  // The work tree of a killed rollback.
  folder.remove('releases')
  removeUpgradeJournal(folder)
  return former
}
