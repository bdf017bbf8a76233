import { setTimeout as sleep } from 'node:timers/promises'
import { APIError } from 'cloudflare'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { UsageError } from '../arguments.ts'
import type { Command } from '../deploy/command.ts'
import { SECRETS } from '../deploy/deployment.ts'
import { thisSource } from '../deploy/source.ts'
import { findAccount, openCloudflare } from '../setup/cloudflare.ts'
import { CommandError, commandErrorOf, withRetryHint } from '../setup/errors.ts'
import { alone } from '../setup/lock.ts'
import { withDirect } from '../setup/neon.ts'
import { openNeon } from '../setup/neon-client.ts'
import { heldIn } from './held.ts'
import { findProject, isMissing } from './project.ts'
import { forget, type Recorded, readRecord } from './record.ts'
import { findThings, type Thing } from './things.ts'

export type Options = {
  isPlan: boolean
  /** Removes the deployment although users still have funds or claims in it. */
  isAbandoned: boolean
  /** Asks for the deployment's name. @returns the answer */
  ask: (name: string) => Promise<string>
  timeoutMs: number
  now: Date
  pause?: (ms: number) => Promise<unknown>
}

/** Cloudflare's errors for a namespace and a queue whose Worker was deleted a moment ago. */
const STILL_BOUND = [10_052, 11_005]
const PAUSE_MS = 2_000
const TRIES = 30

/**
 * Removes the things that setup recorded as made, and nothing else. Keys stay on this machine. An interrupted
 * run goes on when it is repeated: it skips things that are gone.
 * @throws CommandError, UsageError with one sentence that says what to do
 */
export const destroy = (command: Command, options: Options): Promise<void> =>
  withRetryHint('Run npm run destroy again; it continues with what is left.', () =>
    carryOut(command, options),
  )

async function carryOut(command: Command, options: Options): Promise<void> {
  const { folder, env, say, source = thisSource() } = command
  const record = readRecord(folder, source)
  if (record === undefined) return say(`There is no deployment in ${folder.folder}: nothing to remove.`)
  const cloudflare = openCloudflare(env, options)
  const neon = openNeon(env, options)
  const accountId = await findAccount(cloudflare, env)
  if (record.deployment !== undefined && record.deployment.accountId !== accountId)
    throw new CommandError(
      `The deployment in ${folder.folder} belongs to another Cloudflare account: set that account’s token, or DEPLOYMENT_DIR for another deployment.`,
    )
  const project = await findProject(neon, env, record)
  const { things, left } = await findThings(cloudflare, accountId, record)
  if (project.missing !== undefined && things.length > 0 && !options.isAbandoned)
    throw new CommandError(
      `NEON_API_KEY has no access to the project ${project.missing}: set the key of its account, or add --abandon if the project was deleted.`,
    )
  const removed = [...things, ...project.things]
  const stays = [
    ...left,
    ...project.left,
    ...workersDev(record),
    `${folder.path(SECRETS)}, and recovery keys`,
  ]
  const work = async (database?: SqlDatabase) => {
    for (const { what } of removed) say(`remove  ${what}`)
    for (const what of stays) say(`leave   ${what}`)
    await requireNothingHeld(record, database, say, options)
    if (options.isPlan) return
    await requireName(record, options)
    const removeAll = async (some: Thing[]) => {
      for (const thing of some) {
        await remove(thing, options.pause ?? sleep)
        say(`removed ${thing.what}`)
      }
    }
    await removeAll(things)
    // A database that stays must not look like a deployment's.
    await database?.execScript('drop table if exists drizzle.state')
    await removeAll(project.things)
    forget(folder)
    say(`The deployment ${record.name} is removed. Its keys are still in ${folder.path(SECRETS)}.`)
  }
  if (project.used === undefined) return work()
  await withDirect(neon, project.used, async (database, url) => {
    const answers = await database.run([{ query: 'select', params: [] }]).then(
      () => true,
      () => false,
    )
    if (answers) return options.isPlan ? work(database) : alone(url, () => work(database))
    if (options.isAbandoned) return work()
    throw new CommandError(
      'The database accepts no connections, so it is unknown what users have in it: check it in Neon’s console, or add --abandon.',
    )
  })
}

/**
 * Lists the account's name below workers.dev as staying: another account could take it, and get clients'
 * requests.
 */
const workersDev = ({ journal: { made } }: Recorded): string[] =>
  Object.keys(made).flatMap((key) =>
    key.endsWith('.workers.dev') ? [`${key}: clients may use it, so nobody else should get it`] : [],
  )

/** @throws CommandError */
async function requireNothingHeld(
  { deployment }: Recorded,
  database: SqlDatabase | undefined,
  say: (line: string) => void,
  { isAbandoned, isPlan, now }: Options,
): Promise<void> {
  if (deployment !== undefined && deployment.solana !== 'none')
    say(
      'Without the service positions leave by their recovery keys alone (npm run exit), and budgets by their hirers’ wallets. Keep secrets.json: its keys sign for positions, collectors, the treasury and the fee payer.',
    )
  const held = database && (await heldIn(database, now))
  if (held === undefined) return
  if (isAbandoned || isPlan) return say(`Users have ${held}.`)
  throw new CommandError(
    `Users have ${held}: close the service first (functions/runbooks.md, “Closing the service”), or add --abandon. Nothing was removed.`,
  )
}

async function requireName({ name }: Recorded, { ask }: Options): Promise<void> {
  if ((await ask(name)).trim() !== name)
    throw new UsageError(`the deployment is called ${name}: confirm with that name. Nothing was removed`)
}

/** Removes a thing, unless it is gone already. @throws CommandError */
async function remove(thing: Thing, pause: (ms: number) => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await thing.remove()
      return
    } catch (error) {
      if (isMissing(error)) return
      const code = error instanceof APIError ? error.errors[0]?.code : undefined
      if (code === undefined || !STILL_BOUND.includes(code) || tried === TRIES)
        throw commandErrorOf(error, `removing ${thing.what}`, thing.permission)
      await pause(PAUSE_MS)
    }
  }
}
