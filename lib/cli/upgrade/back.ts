import type { SqlDatabase } from '../../migrations/protocol.ts'
import { recordRelease } from '../../migrations/release.ts'
import { RUNNING, writeDeployed } from '../deploy/run.ts'
import { CommandError, commandErrorOf, RetryableError } from '../setup/errors.ts'
import { wordsOf } from '../setup/neon.ts'
import { removeUpgradeJournal, type UpgradeJournal } from './journal.ts'
import type { Step } from './plan.ts'
import { runTriggers } from './triggers.ts'
import { isAlone } from './versions.ts'
import type { Work } from './work.ts'

/**
 * Undoes a run: promotes the versions that ran when the run began, the last promoted first, then deploys
 * their triggers. It also removes new versions at 0 %. It forces the promotion, since the run may have
 * brought other secrets. The versions keep the present secrets: `rotate`, `setup` and `deploy` refuse to
 * start meanwhile.
 * @param database given if a run was killed at its end, after it recorded its release: records the former one
 * @throws CommandError
 */
export async function takeBack(work: Work, journal: UpgradeJournal, database?: SqlDatabase): Promise<void> {
  const { folder, versions, clock, say } = work
  const { before, config, triggers, deployed, from } = journal
  for (const { name, id } of before.toReversed()) {
    if (isAlone(await versions.shares(name), id)) continue
    await versions.deploy(name, { [id]: 100 }, true)
    say(`back  ${name} to version ${id}`)
  }
  for (const group of triggers) await runTriggers(work, config, group)
  writeDeployed(folder, deployed)
  folder.writeJson(RUNNING, config)
  if (database) await recordRelease(database, from, clock())
  removeUpgradeJournal(folder)
}

/** Undoes a failed run, and says what went wrong. */
export async function giveUp(
  work: Work,
  steps: Step[],
  journal: UpgradeJournal,
  error: unknown,
  database?: SqlDatabase,
): Promise<never> {
  const { isRollback } = journal
  const cause = commandErrorOf(error, isRollback ? 'rolling back' : 'upgrading')
  const Kind = cause instanceof RetryableError ? RetryableError : CommandError
  const failure = `${isRollback ? 'Rolling back' : 'Upgrading'} failed: ${wordsOf(error)}.`
  const why = cause instanceof CommandError ? cause.message : failure
  const failed = await takeBack(work, journal, database).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (failed !== undefined)
    throw new CommandError(
      `${why} Going back to the former versions failed, too (${wordsOf(failed)}): run npm run upgrade -- --rollback for release ${(isRollback ? journal.to : journal.from).version}, or npm run upgrade for this folder’s.`,
    )
  const others = steps.flatMap(({ worker, kind }) => (kind === 'class' ? [worker.name] : []))
  const but = others.length > 0 ? `, except ${others.join(', ')}, whose new class can’t be removed` : ''
  throw new Kind(`${why} Every Worker runs its former version${but}.`)
}
