import { applyRights } from '../../migrations/migrations.ts'
import { rowsOf } from '../../migrations/migrator.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import {
  formerRelease,
  isSame,
  type Release,
  recordRelease,
  runningRelease,
} from '../../migrations/release.ts'
import type { RawConfig } from '../deploy/config.ts'
import { openLogins } from '../deploy/database-urls.ts'
import { type Made, makeConfig, RUNNING, writeDeployed } from '../deploy/run.ts'
import { requireSecrets, requireVariables } from '../deploy/settings.ts'
import { CommandError } from '../setup/errors.ts'
import { readSecrets } from '../setup/keys.ts'
import { askAll, isAsked } from './ask.ts'
import { giveUp, takeBack } from './back.ts'
import { bring } from './bring.ts'
import {
  beginUpgradeJournal,
  readUpgradeJournal,
  removeUpgradeJournal,
  startOf,
  type UpgradeJournal,
} from './journal.ts'
import { planBack, type Step } from './plan.ts'
import type { Work } from './work.ts'

/**
 * Goes back to the former release. It undoes an upgrade that was killed: no key or setting has changed since
 * that began. After a completed upgrade it deploys the former code with the present keys and settings, as new
 * versions, and checks them before it promotes them. The database stays as it is.
 * @throws CommandError
 */
export async function goBack(work: Work, database: SqlDatabase): Promise<void> {
  const known = readUpgradeJournal(work.folder)
  const running = await runningRelease(database)
  if (known && !known.isRollback) return undo(work, database, known)
  const to = known?.to ?? (await formerRelease(database))
  if (to === undefined || running === undefined) throw new CommandError('There is no upgrade to roll back.')
  await requireFunctions(database, to)
  await work.former(to, (source) =>
    bringBack({ ...work, source }, database, { from: known?.from ?? running, running }),
  )
}

/** @throws CommandError if a later upgrade has dropped the release's functions */
async function requireFunctions(database: SqlDatabase, { version, apiSchema }: Release): Promise<void> {
  const [row] = await rowsOf(database, 'select to_regnamespace($1)', [apiSchema])
  if (row?.[0] == null)
    throw new CommandError(`The functions of release ${version} are dropped, so it cannot run again.`)
}

async function undo(work: Work, database: SqlDatabase, journal: UpgradeJournal): Promise<void> {
  const { folder, say, timeoutMs, pause } = work
  const { from, before, config } = journal
  await requireFunctions(database, from)
  await applyRights(database, from)
  const keys = readSecrets(folder)
  await openLogins(keys.DATABASE_URL ?? '', keys)
  await takeBack(work, journal, database)
  const origin = `https://${folder.deployment().host}`
  const expected = before.filter(({ group }) => isAsked(config, group))
  await askAll(origin, expected, { isOverride: false, timeoutMs, pause })
  say(`Release ${from.version} runs again. The database is unchanged.`)
}

/** @param releases the release that ran when the rollback began, and the recorded one */
async function bringBack(
  work: Work,
  database: SqlDatabase,
  { from, running }: { from: Release; running: Release },
): Promise<void> {
  const { folder, source, versions, clock, say, keep } = work
  const { release: to } = source
  const { config, deployed } = startOf(folder, from, folder.read(RUNNING) as RawConfig)
  const made = makeConfig(folder, source)
  // Present settings were checked when they were deployed; a former release may lack some.
  requireSecrets(made.all, made.env)
  requireVariables(made.all, made.all)
  const there = await versions.scripts()
  const steps = planBack(made.all, { config: made.config, there, hashes: made.hashes, deployed })
  const journal = await beginUpgradeJournal(work, steps, { from, to, isRollback: true, config, deployed })
  await keep()
  for (const line of stayingOf(made, steps, journal)) say(line)
  try {
    await applyRights(database, to)
    const keys = readSecrets(folder)
    await openLogins(keys.DATABASE_URL ?? '', keys)
    await bring(work, made, steps, journal)
  } catch (error) {
    await giveUp(work, steps, journal, error, isSame(running, from) ? undefined : database)
  }
  // Workers that stay keep their recorded configuration.
  const back = Object.keys(made.config.env).filter((group) => !isStaying(steps, group))
  const of = <T>(all: Record<string, T>) =>
    Object.fromEntries(back.flatMap((group) => (all[group] === undefined ? [] : [[group, all[group]]])))
  writeDeployed(folder, { ...journal.deployed, ...of(made.hashes) })
  folder.writeJson(RUNNING, { ...made.config, env: { ...journal.config.env, ...of(made.config.env) } })
  await recordRelease(database, to, clock())
  removeUpgradeJournal(folder)
  say(
    `Release ${to.version} runs again. The database, keys and settings are unchanged. To change settings, check out its code: git checkout ${to.commit ?? `v${to.version}`}`,
  )
}

const isStaying = (steps: Step[], group: string): boolean =>
  steps.some(({ worker, kind }) => worker.group === group && kind === 'stays')

/** Returns the Workers that the rollback leaves as they are. */
const stayingOf = (
  { config }: Made,
  steps: Step[],
  { from, to, config: before }: UpgradeJournal,
): string[] => [
  ...steps.flatMap(({ worker: { name }, kind }) =>
    kind === 'stays'
      ? [`stay  ${name}, with the code of ${from.version}: its Durable Object class can’t be removed`]
      : [],
  ),
  ...Object.entries(before.env).flatMap(([group, { name }]) =>
    group in config.env ? [] : [`stay  ${name}, which release ${to.version} does not have or use`],
  ),
]
