import { deployAll, type Made, runWrangler, withSecrets } from '../deploy/run.ts'
import { CALLS_OF_WRANGLER } from '../deploy/wrangler.ts'
import { commandErrorOf, RetryableError } from '../setup/errors.ts'
import { askAll, seeAll } from './ask.ts'
import { type UpgradeJournal, writeUpgradeJournal } from './journal.ts'
import type { Step } from './plan.ts'
import { changedTriggers, runTriggers } from './triggers.ts'
import { isAlone, mainOf } from './versions.ts'
import type { Work } from './work.ts'

/** The percentage of requests for new versions until they are healthy, if overrides are not applied. */
const SHARE = 25
/** How often, and at which interval, to look for an upload. */
const PAUSE_MS = 2_000
const TRIES = 15

/** A version to promote. */
type Candidate = {
  group: string
  name: string
  id: string
  /** It ran when the run began, and a killed run replaced it. */
  isBack?: boolean
}

/** Deploys the Workers of a release, in the order of their steps. @throws CommandError, WranglerError */
export async function bring(work: Work, made: Made, steps: Step[], journal: UpgradeJournal): Promise<void> {
  const { versions, say, pause, timeoutMs, isByPercentage } = work
  const share = isByPercentage ? SHARE : 0
  await deployNew(work, made, steps, journal)
  const candidates: Candidate[] = []
  for (const step of steps) {
    if (step.kind === 'version') candidates.push(await uploaded(work, made, step, journal))
    if (step.kind === 'kept') candidates.push(...(await replaced(work, step, journal)))
  }
  for (const { name, id, isBack } of candidates) {
    const shares = await versions.shares(name)
    const main = mainOf(shares)
    if (main === undefined || (shares[id] ?? -1) >= share) continue
    await versions.deploy(name, { [main]: 100 - share, [id]: share }, isBack)
  }
  const origin = `https://${made.deployment.host}`
  const expected: Candidate[] = []
  for (const {
    worker: { group, name },
  } of steps) {
    const id = candidates.find((one) => one.group === group)?.id ?? mainOf(await versions.shares(name))
    if (id !== undefined) expected.push({ group, name, id })
  }
  if (isByPercentage) await seeAll(origin, expected, { share, timeoutMs, pause })
  else await askAll(origin, expected, { isOverride: true, timeoutMs, pause })
  say('the new versions are healthy')
  for (const { name, id, isBack } of candidates) {
    if (isAlone(await versions.shares(name), id)) continue
    await versions.deploy(name, { [id]: 100 }, isBack)
    say(`promoted ${name}`)
  }
  await deployTriggers(work, made, steps, journal)
  await askAll(origin, expected, { isOverride: false, timeoutMs, pause })
}

/**
 * Deploys the Workers that Cloudflare takes no version of. A Worker with a new class can't be rolled back
 * past it, so the version to go back to becomes the one deployed here.
 */
async function deployNew(
  { folder, env, source, timeoutMs, versions, say, keep }: Work,
  made: Made,
  steps: Step[],
  journal: UpgradeJournal,
) {
  for (const {
    worker: { group, name },
    kind,
  } of steps) {
    if (kind !== 'new' && kind !== 'class') continue
    const { [group]: _, ...deployed } = journal.deployed
    journal.before = journal.before.filter((one) => one.group !== group)
    writeUpgradeJournal(folder, Object.assign(journal, { deployed }))
    await deployAll(folder, {
      ...{ env, source, groups: [group] },
      timeoutMs: CALLS_OF_WRANGLER * timeoutMs,
    }).catch((error) => {
      throw commandErrorOf(error, `deploying ${name}`)
    })
    const id = mainOf(await versions.shares(name))
    if (id !== undefined) journal.before.push({ group, name, id })
    journal.deployed[group] = made.hashes[group] ?? ''
    // The deployment brought its triggers, too.
    const { [group]: raw } = made.config.env
    if (raw) journal.config = { ...journal.config, env: { ...journal.config.env, [group]: raw } }
    writeUpgradeJournal(folder, journal)
    await keep()
    say(`deployed ${name}`)
  }
}

/** Returns the version that ran when the run began, if a killed run replaced it. */
async function replaced(
  { versions }: Work,
  { worker }: Step,
  { before }: UpgradeJournal,
): Promise<Candidate[]> {
  const ran = before.find(({ group }) => group === worker.group)
  return ran === undefined || isAlone(await versions.shares(ran.name), ran.id)
    ? []
    : [{ ...ran, isBack: true }]
}

/**
 * Returns a version's tag: when its run began, and a hash of its code and settings. An equal version that ran
 * before, maybe with other secrets, has another tag. At most 20 characters.
 */
const tagOf = ({ begun }: UpgradeJournal, hash = ''): string =>
  `${Date.parse(begun).toString(36)}-${hash.slice(0, 11)}`

/** Finds the version that this run uploaded before it was killed, or uploads it. */
async function uploaded(
  work: Work,
  made: Made,
  { worker }: Step,
  journal: UpgradeJournal,
): Promise<Candidate> {
  const { folder, env, timeoutMs, versions, say } = work
  const { group, name } = worker
  const tag = tagOf(journal, made.hashes[group])
  const known = await versions.find(name, tag)
  if (known !== undefined) return { group, name, id: known }
  await withSecrets(folder, made, worker, (file) =>
    runWrangler(folder, made, ['versions', 'upload', '--tag', tag, '--secrets-file', file], group, {
      env,
      timeoutMs: CALLS_OF_WRANGLER * timeoutMs,
    }),
  ).catch((error) => {
    throw commandErrorOf(error, `uploading a version of ${name}`)
  })
  const id = await listed(work, name, tag)
  say(`uploaded ${name}`)
  return { group, name, id }
}

/** Finds a version that was just uploaded. Cloudflare's list may be out of date for a while. */
async function listed({ versions, pause }: Work, name: string, tag: string): Promise<string> {
  for (let tried = 1; ; tried++) {
    const id = await versions.find(name, tag)
    if (id !== undefined) return id
    if (tried === TRIES)
      throw new RetryableError(
        `Cloudflare does not list the just uploaded version of ${name} yet: wait a minute.`,
      )
    await pause(PAUSE_MS)
  }
}

/** Deploys the changed triggers. It records them before, since a rollback deploys the former ones. */
async function deployTriggers(work: Work, made: Made, steps: Step[], journal: UpgradeJournal): Promise<void> {
  const { folder, say, keep } = work
  // A killed run may have deployed triggers of another release.
  const touched = journal.triggers.filter((group) => group in made.config.env)
  for (const group of new Set([...touched, ...changedTriggers(journal.config, made.config)])) {
    if (steps.some(({ worker, kind }) => worker.group === group && kind === 'stays')) continue
    if (!journal.triggers.includes(group)) journal.triggers.push(group)
    writeUpgradeJournal(folder, journal)
    await keep()
    await runTriggers(work, made.config, group)
    say(`triggers of ${group}`)
  }
}
