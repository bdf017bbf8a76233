import { applyMigrations, NotYet, planMigrations, UnknownMigration } from '../../local/neon/migrations.ts'
import { rowsOf } from '../../local/neon/migrator.ts'
import type { SqlDatabase } from '../../local/neon/protocol.ts'
import { dropOtherFunctions, isSame, type Release, recordRelease } from '../../local/neon/release.ts'
import type { RawConfig } from '../deploy/config.ts'
import { DEPLOYMENT, type DeploymentFolder } from '../deploy/deployment.ts'
import {
  type Made,
  makeConfig,
  RUNNING,
  readDeployed,
  recordSettings,
  requireSettings,
  writeDeployed,
} from '../deploy/run.ts'
import { type Source, thisSource } from '../deploy/source.ts'
import { type Account, makeQueue, openCloudflare } from '../setup/cloudflare.ts'
import { Fault, faultOf } from '../setup/faults.ts'
import { createMaker } from '../setup/journal.ts'
import { makeKeys, missingKeys } from '../setup/keys.ts'
import { openNeon, withDirect, wordsOf } from '../setup/neon.ts'
import { readSetup } from '../setup/options.ts'
import type { Pause } from './ask.ts'
import { bring } from './bring.ts'
import { beginJournal, type Journal, readJournal, removeJournal, writeJournal } from './journal.ts'
import { alone } from './lock.ts'
import { planWorkers, type Step } from './plan.ts'
import { rollBack } from './rollback.ts'
import { openVersions } from './versions.ts'
import type { Work } from './work.ts'

export type Options = { isPlan: boolean; isRollback: boolean; timeoutMs: number; pause?: Pause }

/** Of a plan: nothing but its name stays of what it writes. */
const PLANNED = 'planned.json'

/**
 * Brings this folder's release to a deployment whose Workers run: migrations that expand, functions, versions
 * of Workers that are asked before they are promoted. On a failure the versions that ran before are promoted
 * again. Killed and run again it ends the same.
 * @throws Fault with a sentence that says what to do
 */
export async function upgrade(
  folder: DeploymentFolder,
  options: Options,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  source: Source = thisSource(),
): Promise<void> {
  const { accountId, neonProject } = folder.deployment()
  const running = folder.read(RUNNING) as RawConfig | undefined
  if (neonProject === undefined || running === undefined)
    throw new Fault(
      'The deployment has not come to its end: run npm run setup with the code that it began with.',
    )
  const cloudflare = openCloudflare(env, options)
  const message = `release ${source.release.version}`
  const work: Work = {
    ...{ folder, env, say, source },
    versions: openVersions(cloudflare, accountId, message),
    timeoutMs: options.timeoutMs,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  }
  await withDirect(openNeon(env, options), neonProject, (database, url) =>
    alone(url, async () => {
      if (options.isRollback) return goBack(work, database)
      const planned = await plan(work, database)
      if (planned.isNothing) return say('Nothing to do: this release runs.')
      for (const line of linesOf(planned)) say(line)
      if (!options.isPlan) await carryOut(work, database, cloudflare, accountId, planned, running)
    }),
  ).finally(() => folder.remove(PLANNED))
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
  if (running === undefined)
    throw new Fault(
      'The deployment has not come to its end: run npm run setup with the code that it began with.',
    )
  const { config, all, hashes } = makeConfig(folder, source, PLANNED)
  const there = await versions.scripts()
  const steps = planWorkers(all, { config, there, hashes, deployed: readDeployed(folder) })
  const keys = await missingKeys(folder, env, readSetup({}, folder))
  const isUnfinished = readJournal(folder)?.isDone === false
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
    from: running,
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
  accountId: string,
  { steps, from, keys }: Planned,
  running: RawConfig,
): Promise<void> {
  const { folder, env, source, say } = work
  if (keys.length > 0) {
    const made = await makeKeys(folder, env, readSetup({}, folder), {})
    const deployment = folder.deployment()
    folder.writeJson(DEPLOYMENT, { ...deployment, vars: { ...deployment.vars, ...made } })
  }
  const made = makeConfig(folder, source)
  await requireSettings(made.all, made)
  const maker = createMaker(folder, false, say)
  const known = queuesOf(running)
  for (const queue of new Set(queuesOf(made.config)))
    if (!known.includes(queue)) await makeQueue(cloudflare, accountId, maker, queue)
  const journal = await beginJournal(work, steps, from, running)
  try {
    // Grants are a part of it.
    await applyMigrations(database, source.migrations)
    say('the database is migrated')
    await bring(work, made, steps, journal)
  } catch (error) {
    await giveUp(work, steps, journal, error)
  }
  await finish(work, made, database, from)
  writeJournal(folder, { ...journal, isDone: true })
  say(`Release ${source.release.version} runs. Back to ${from.version}: npm run upgrade -- --rollback`)
}

/** Promotes the versions before, and says what went wrong. */
async function giveUp(work: Work, steps: Step[], journal: Journal, error: unknown): Promise<never> {
  const { folder } = work
  const cause = faultOf(error, 'upgrading', '', 'upgrade')
  const why = cause instanceof Fault ? cause.message : `Upgrading failed: ${wordsOf(error)}.`
  const failed = await rollBack(work, journal).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (failed !== undefined)
    throw new Fault(
      `${why} To go back to the versions before failed, too (${wordsOf(failed)}): run npm run upgrade -- --rollback, or npm run upgrade to go on.`,
    )
  removeJournal(folder)
  const others = steps.flatMap(({ worker, kind }) => (kind === 'class' ? [worker.name] : []))
  const but = others.length > 0 ? `, but ${others.join(', ')}, whose new class can’t be taken back` : ''
  throw new Fault(`${why} Every Worker runs the version that it ran before${but}.`)
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

/** Goes back to the release before, of an upgrade that is done or was killed. The database stays as it is. */
async function goBack(work: Work, database: SqlDatabase): Promise<void> {
  const { folder, say } = work
  const journal = readJournal(folder)
  if (journal === undefined) throw new Fault('There is no upgrade to go back from.')
  const { from } = journal
  const [row] = await rowsOf(database, 'select to_regnamespace($1)', [from.apiSchema])
  if (row?.[0] == null)
    throw new Fault(`The functions of release ${from.version} are dropped: there is no way back to it.`)
  await rollBack(work, journal)
  writeDeployed(folder, journal.deployed)
  folder.writeJson(RUNNING, journal.config)
  await recordRelease(database, from, new Date())
  removeJournal(folder)
  say(`Release ${from.version} runs again. The database has stayed as it is.`)
}
