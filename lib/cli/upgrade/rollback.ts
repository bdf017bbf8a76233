import { applyRights } from '../../local/neon/migrations.ts'
import { rowsOf } from '../../local/neon/migrator.ts'
import type { SqlDatabase } from '../../local/neon/protocol.ts'
import { recordRelease } from '../../local/neon/release.ts'
import { RUNNING, runWrangler, writeDeployed } from '../deploy/run.ts'
import { CALLS_OF_WRANGLER } from '../deploy/wrangler.ts'
import { Fault, faultOf, PassingFault } from '../setup/faults.ts'
import { wordsOf } from '../setup/neon.ts'
import { type Journal, readJournal, removeJournal } from './journal.ts'
import type { Step } from './plan.ts'
import { isAlone } from './versions.ts'
import type { Work } from './work.ts'

/** The configuration of the Workers before, while their triggers are deployed. */
const BEFORE = 'before.json'

/**
 * Promotes the recorded versions again, the last promoted first, which takes away what was deployed at 0 %,
 * too; then deploys their triggers. @throws Fault
 */
async function rollBack(work: Work, { before, config, triggers }: Journal): Promise<void> {
  const { folder, env, versions, timeoutMs, say } = work
  for (const { name, id } of before.toReversed()) {
    if (isAlone(await versions.shares(name), id)) continue
    await versions.deploy(name, { [id]: 100 })
    say(`back  ${name} to version ${id}`)
  }
  folder.writeJson(BEFORE, config)
  try {
    for (const group of triggers)
      await runWrangler(
        folder,
        { deployment: folder.deployment() },
        ['triggers', 'deploy'],
        group,
        { env, timeoutMs: CALLS_OF_WRANGLER * timeoutMs },
        BEFORE,
      ).catch((error) => {
        throw faultOf(error, `deploying the triggers of ${group}`)
      })
  } finally {
    folder.remove(BEFORE)
  }
}

/** Promotes the versions before, and says what went wrong. */
export async function giveUp(work: Work, steps: Step[], journal: Journal, error: unknown): Promise<never> {
  const { folder } = work
  const cause = faultOf(error, 'upgrading')
  const Kind = cause instanceof PassingFault ? PassingFault : Fault
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
  throw new Kind(`${why} Every Worker runs the version that it ran before${but}.`)
}

/** Goes back to the release before, of an upgrade that is done or was killed. The database stays as it is. */
export async function goBack(work: Work, database: SqlDatabase): Promise<void> {
  const { folder, say } = work
  const journal = readJournal(folder)
  if (journal === undefined) throw new Fault('There is no upgrade to go back from.')
  const { from } = journal
  const [row] = await rowsOf(database, 'select to_regnamespace($1)', [from.apiSchema])
  if (row?.[0] == null)
    throw new Fault(`The functions of release ${from.version} are dropped: there is no way back to it.`)
  await applyRights(database, from)
  await rollBack(work, journal)
  writeDeployed(folder, journal.deployed)
  folder.writeJson(RUNNING, journal.config)
  await recordRelease(database, from, new Date())
  removeJournal(folder)
  say(`Release ${from.version} runs again. The database has stayed as it is.`)
}
