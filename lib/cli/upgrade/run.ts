import { applyMigrations, NotYet, planMigrations, UnknownMigration } from '../../local/neon/migrations.ts'
import type { SqlDatabase } from '../../local/neon/protocol.ts'
import { dropOtherFunctions, isSame, type Release, recordRelease } from '../../local/neon/release.ts'
import type { Command } from '../deploy/command.ts'
import type { RawConfig } from '../deploy/config.ts'
import { openLogins, urlsOfGroups } from '../deploy/database-urls.ts'
import { DEPLOYMENT } from '../deploy/deployment.ts'
import {
  type Made,
  makeConfig,
  RUNNING,
  readDeployed,
  recordSettings,
  requireSettings,
  writeDeployed,
} from '../deploy/run.ts'
import { thisSource } from '../deploy/source.ts'
import { type Account, makeQueue, openCloudflare } from '../setup/cloudflare.ts'
import { asCommand, Fault } from '../setup/faults.ts'
import { createMaker } from '../setup/journal.ts'
import { keptOf, makeKeys, missingKeys } from '../setup/keys.ts'
import { urlsOf, withDirect } from '../setup/neon.ts'
import { openNeon } from '../setup/neon-client.ts'
import { readSetup } from '../setup/options.ts'
import { changedSecrets } from '../state/prints.ts'
import { requireKeptFolder } from '../state/runner.ts'
import { type Keep, type Steered, steer } from '../state/steer.ts'
import type { Pause } from './ask.ts'
import { bring } from './bring.ts'
import { beginJournal, readJournal, writeJournal } from './journal.ts'
import { planWorkers, type Step } from './plan.ts'
import { giveUp, goBack } from './rollback.ts'
import { openVersions } from './versions.ts'
import type { Work } from './work.ts'

export type Options = {
  isPlan: boolean
  isRollback: boolean
  /** Gives new versions a share of the requests, in place of asking them by override. */
  isByPercentage?: boolean
  timeoutMs: number
  pause?: Pause
}

/** Of a plan: nothing but its name stays of what it writes. */
const PLANNED = 'planned.json'

/**
 * Brings this folder's release to a deployment whose Workers run: migrations that expand, functions, versions
 * of Workers that are asked before they are promoted. On a failure the versions that ran before are promoted
 * again. Killed and run again it ends the same.
 * @throws Fault with a sentence that says what to do
 */
export const upgrade = (command: Command, options: Options): Promise<void> =>
  asCommand('Run npm run upgrade again.', async () => {
    const { folder, env, source = thisSource() } = command
    const { neonProject } = folder.deployment()
    if (neonProject === undefined) throw unfinished()
    openCloudflare(env, options)
    const { direct: url } = await urlsOf(openNeon(env, options), neonProject)
    const by = `npm run upgrade${options.isRollback ? ' -- --rollback' : ''}`
    const steered = { ...command, source }
    await steer(steered, { url, by, isPlan: options.isPlan }, (keep) => bringRelease(steered, options, keep))
  })

const unfinished = () =>
  new Fault('The deployment has not come to its end: run npm run setup with the code that it began with.')

async function bringRelease(command: Steered, options: Options, keep: Keep): Promise<void> {
  const { folder, env, say, source } = command
  const { accountId, neonProject } = folder.deployment()
  const running = folder.read(RUNNING) as RawConfig | undefined
  if (neonProject === undefined || running === undefined) throw unfinished()
  const cloudflare = openCloudflare(env, options)
  const message = `release ${source.release.version}`
  const work: Work = {
    ...{ folder, env, say, source, keep },
    versions: openVersions(cloudflare, accountId, message),
    timeoutMs: options.timeoutMs,
    isByPercentage: options.isByPercentage ?? false,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  }
  const neon = openNeon(env, options)
  await withDirect(neon, neonProject, async (database) => {
    if (options.isRollback) return goBack(work, database)
    const planned = await plan(work, database)
    if (planned.isNothing) return say('Nothing to do: this release runs.')
    for (const line of linesOf(planned)) say(line)
    if (!options.isPlan)
      await carryOut(work, database, cloudflare, await urlsOf(neon, neonProject), planned, running)
  }).finally(() => folder.remove(PLANNED))
}

type Planned = {
  steps: Step[]
  migrations: string[]
  hasFunctions: boolean
  from: Release
  release: Release
  keys: string[]
  isNothing: boolean
}

/** Reads everything that decides whether the upgrade may be. @throws Fault before anything is written */
async function plan({ folder, env, source, versions }: Work, database: SqlDatabase): Promise<Planned> {
  const { pending, running, hasFunctions } = await planMigrations(database, source.migrations).catch(
    (error) => {
      if (error instanceof NotYet) throw new Fault(`${error.message}. Nothing was done.`)
      throw error instanceof UnknownMigration ? new Fault(`${error.message}.`) : error
    },
  )
  if (running === undefined) throw unfinished()
  const { config, all, hashes } = makeConfig(folder, source, PLANNED)
  const there = await versions.scripts()
  const steps = planWorkers(all, { config, there, hashes, deployed: readDeployed(folder) })
  const keys = await missingKeys(folder, env, readSetup({}, folder))
  const journal = readJournal(folder)
  const isUnfinished = journal?.isDone === false
  const { release } = source
  const isNothing =
    pending.length === 0 &&
    hasFunctions &&
    steps.every(({ kind }) => kind === 'kept') &&
    isSame(running, release) &&
    !isUnfinished
  return {
    steps,
    migrations: pending.map(({ tag }) => tag),
    hasFunctions,
    // A run that was killed at its end has written down that this release runs.
    from: isUnfinished && isSame(running, release) ? journal.from : running,
    release,
    keys,
    isNothing,
  }
}

const WORDS = { new: 'new: deploy it', class: 'new Durable Object class: deploy it', version: 'new version' }

const linesOf = ({ steps, migrations, hasFunctions, from, release, keys }: Planned): string[] => [
  `release ${from.version} runs; ${release.version} is to run`,
  ...(keys.length > 0 ? [`make  keys: ${keys.join(', ')}`] : []),
  ...migrations.map((tag) => `migration ${tag}`),
  ...(hasFunctions ? [] : [`functions in ${release.apiSchema}`]),
  ...steps.flatMap(({ worker, kind }) => (kind === 'kept' ? [] : [`${worker.name}  ${WORDS[kind]}`])),
]

const queuesOf = ({ env }: RawConfig): string[] =>
  Object.values(env).flatMap(({ queues }) => queues?.consumers?.map(({ queue }) => queue) ?? [])

async function carryOut(
  work: Work,
  database: SqlDatabase,
  cloudflare: Account,
  urls: Awaited<ReturnType<typeof urlsOf>>,
  { steps, from, keys: newKeys }: Planned,
  running: RawConfig,
): Promise<void> {
  const { folder, env, source, say, keep } = work
  const logins = { DATABASE_URL: urls.direct, ...urlsOfGroups(urls.pooled, keptOf(folder)) }
  const changing = [...newKeys, ...changedSecrets(keptOf(folder), logins)]
  if (changing.length > 0) requireKeptFolder(env, changing, 'npm run upgrade')
  const keys = await makeKeys(folder, env, readSetup({}, folder), logins)
  const deployment = folder.deployment()
  folder.writeJson(DEPLOYMENT, { ...deployment, vars: { ...deployment.vars, ...keys } })
  const made = makeConfig(folder, source)
  await requireSettings(made.all, made)
  const maker = createMaker(folder, false, say)
  const known = queuesOf(running)
  for (const queue of new Set(queuesOf(made.config)))
    if (!known.includes(queue)) await makeQueue(cloudflare, deployment.accountId, maker, queue)
  const journal = await beginJournal(work, steps, from, running)
  await keep()
  try {
    // Grants are a part of it.
    await applyMigrations(database, source.migrations)
    await openLogins(urls.direct, logins)
    say('the database is migrated')
    await bring(work, made, steps, journal)
  } catch (error) {
    await giveUp(work, steps, journal, error)
  }
  await finish(work, made, database, from)
  writeJournal(folder, { ...journal, isDone: true })
  say(`Release ${source.release.version} runs. Back to ${from.version}: npm run upgrade -- --rollback`)
}

/** Writes down what runs now. What is killed here comes here again. */
async function finish({ folder, source, say }: Work, made: Made, database: SqlDatabase, from: Release) {
  const { release } = source
  await recordSettings(made.all, made.env)
  writeDeployed(folder, made.hashes)
  folder.writeJson(RUNNING, made.config)
  await recordRelease(database, release, new Date())
  const before = from.apiSchema === release.apiSchema ? [] : [from.apiSchema]
  for (const schema of await dropOtherFunctions(database, [release.apiSchema, ...before]))
    say(`dropped the functions in ${schema}, which no Worker calls any more`)
}
