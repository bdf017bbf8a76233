import * as v from 'valibot'
import { cred, formatAmount } from '../../schema/amounts.ts'
import { shortEscrows } from '../payments/jobs/audit.ts'
import { endKeyVersion } from '../payments/jobs/end-queries.ts'
import { checkPublication } from '../payments/jobs/publication.ts'
import { markLeaked, resumeFundings, selectKeyVersionStates } from '../payments/key-version-queries.ts'
import { createRpc } from '../solana/rpc.ts'
import { deleteTexts, extendDeadlines } from '../work/operate.ts'
import { readCommandLine, required, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'
import { keyVersionOf } from './key-version.ts'

type Options = { until?: string; generation?: string; rpc?: string }

/** The environment of the process, or of the stage of `--stage`. */
let env: NodeJS.ProcessEnv = process.env

/**
 * `npm run jobs`: moves deadlines of jobs after an outage, deletes illegal texts, and stops, resumes or ends
 * fundings under a key version, before whose end its recovery key is not published.
 */
async function main() {
  const { values, positionals } = readCommandLine('jobs')
  env = environmentOf(process.env, values)
  const [command, job, ...others] = positionals
  if (others.length > 0 || (job !== undefined && command !== 'delete-texts'))
    throw new UsageError('too many arguments')
  requireOptions(command, values)
  if (command === 'extend') return extend(values)
  if (command === 'delete-texts') return deleteTextsOf(job)
  if (command === 'status') return status()
  if (command === 'leaked') return stop(values)
  if (command === 'resume') return resume(values)
  return command === 'end' ? end(values) : publishable(values)
}

const OF_KEY_VERSIONS = ['leaked', 'resume', 'end', 'publishable']

/** The options of each command. @throws UsageError for an option of another one */
function requireOptions(command: string | undefined, { until, generation, rpc }: Options) {
  if (until !== undefined && command !== 'extend') throw new UsageError('only extend has --until')
  if (generation !== undefined && !OF_KEY_VERSIONS.includes(command ?? ''))
    throw new UsageError(`only ${OF_KEY_VERSIONS.join(', ')} have --generation`)
  if (rpc !== undefined && command !== 'resume') throw new UsageError('only resume has --rpc')
}

async function extend({ until = '' }: Options) {
  const time = new Date(until)
  if (!/^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(until) || Number.isNaN(time.getTime()))
    throw new UsageError('--until must be a time such as 2026-11-23T18:00Z')
  const extended = await withDatabase(env, (deps) => extendDeadlines(deps, time))
  console.log(`${extended} deadlines moved to ${time.toISOString()}`)
}

async function deleteTextsOf(job: string | undefined) {
  if (!v.is(v.pipe(v.string(), v.uuid()), job)) throw new UsageError('the id of a job must be a UUID')
  if (!(await withDatabase(env, (deps) => deleteTexts(deps, job)))) throw new Error('no job has this id')
  console.log(job)
}

/** Prints a line for each key version of the payments authority. */
async function status() {
  for (const { keyVersion, leakedAt, takenAt, endedAt } of await withDatabase(env, ({ db }) =>
    selectKeyVersionStates(db),
  )) {
    const stopped = takenAt && `stopped since ${takenAt.toISOString()}: an escrow holds less than it owes`
    const ended = endedAt && `ended at ${endedAt.toISOString()}`
    const state = leakedAt
      ? `key leaked, stopped since ${leakedAt.toISOString()}`
      : (ended ?? stopped ?? 'open')
    console.log(`key version ${keyVersion}\t${state}`)
  }
}

async function stop(options: Options) {
  const keyVersion = keyVersionOf(options)
  if (!(await withDatabase(env, ({ db, now }) => markLeaked(db, { keyVersion, now }))))
    throw new Error(`payments was never deployed with key version ${keyVersion}`)
  console.log(
    `key version ${keyVersion}: no job is funded any more. Jobs that are funded go on. Run npm run rotate -- payments.`,
  )
}

/** Reads all escrows again, and resumes fundings unless one of the key version holds too little. */
async function resume(options: Options) {
  const keyVersion = keyVersionOf(options)
  const rpc = createRpc(required('--rpc', options.rpc ?? env.SOLANA_RPC_URL))
  await withDatabase(env, async ({ db, now }) => {
    const found = []
    for await (const { short } of shortEscrows({ db, rpc, now }))
      found.push(...short.filter((one) => one.keyVersion === keyVersion))
    for (const { id, escrow, least } of found)
      console.log(`job ${id}\tescrow ${escrow}\tmust hold ${formatAmount(cred(least))} CRED`)
    if (found.length > 0)
      throw new Error(
        `${found.length === 1 ? 'an escrow holds' : `${found.length} escrows hold`} less than owed: send the missing CRED there, or rotate the key`,
      )
    if (!(await resumeFundings(db, keyVersion)))
      throw new Error('its fundings are not stopped for an escrow, or its key has leaked')
    console.log(`key version ${keyVersion}: every escrow holds what it owes. Jobs are funded again.`)
  })
}

async function end(options: Options) {
  const keyVersion = keyVersionOf(options)
  if (!(await withDatabase(env, ({ db, now }) => endKeyVersion(db, { keyVersion, now }))))
    throw new Error(`payments was never deployed with key version ${keyVersion}`)
  console.log(`key version ${keyVersion}: no job is funded any more. Funded jobs go on.`)
}

async function publishable(options: Options) {
  const keyVersion = keyVersionOf(options)
  const { reason, unpaid } = await withDatabase(env, (deps) => checkPublication(deps, keyVersion))
  for (const { owner, amount } of unpaid) console.log(`unpaid\t${owner}\t${formatAmount(amount)} CRED`)
  if (reason !== undefined) throw new Error(`do not publish the recovery key: ${reason}`)
  console.log(`key version ${keyVersion}: you may publish the recovery key of jobs.`)
}

await runMain('jobs', main)
