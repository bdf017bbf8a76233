import * as v from 'valibot'
import { formatAmount } from '../../schema/amounts.ts'
import { endKeyVersion } from '../payments/jobs/end-queries.ts'
import { checkPublication } from '../payments/jobs/publication.ts'
import { deleteTexts, extendDeadlines } from '../work/operate.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'

/**
 * `npm run jobs`: moves deadlines of jobs after an outage, deletes illegal texts, and ends jobs under a key
 * version before their recovery key is published.
 */
async function main() {
  const { values, positionals } = readCommandLine('jobs')
  const env = environmentOf(process.env, values)
  const [command, job, ...others] = positionals
  if (others.length > 0 || (command === 'extend' && job !== undefined))
    throw new UsageError('too many arguments')
  if (command === 'extend') {
    const until = new Date(values.until ?? '')
    if (!/^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(values.until ?? '') || Number.isNaN(until.getTime()))
      throw new UsageError('--until must be a time such as 2026-11-23T18:00Z')
    const extended = await withDatabase(env, (deps) => extendDeadlines(deps, until))
    console.log(`${extended} deadlines moved to ${until.toISOString()}`)
    return
  }
  if (values.until !== undefined) throw new UsageError('only extend has --until')
  if (command === 'end' && job === undefined) return end(env, keyVersionOf(values.generation))
  if (command === 'publishable' && job === undefined) return publishable(env, keyVersionOf(values.generation))
  if (values.generation !== undefined) throw new UsageError('only end and publishable have --generation')
  if (!v.is(v.pipe(v.string(), v.uuid()), job)) throw new UsageError('the id of a job must be a UUID')
  if (!(await withDatabase(env, (deps) => deleteTexts(deps, job)))) throw new Error('no job has this id')
  console.log(job)
}

function keyVersionOf(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError('--generation must be the number of a key version')
}

async function end(env: NodeJS.ProcessEnv, keyVersion: number) {
  const isKnown = await withDatabase(env, ({ db, now }) => endKeyVersion(db, { keyVersion, now }))
  if (!isKnown) throw new Error('payments was not deployed with this key version')
  console.log(`key version ${keyVersion}: no job is funded any more. Funded jobs go on.`)
}

async function publishable(env: NodeJS.ProcessEnv, keyVersion: number) {
  const { reason, unpaid } = await withDatabase(env, (deps) => checkPublication(deps, keyVersion))
  for (const { owner, amount } of unpaid) console.log(`unpaid\t${owner}\t${formatAmount(amount)} CRED`)
  if (reason !== undefined) throw new Error(`do not publish the recovery key: ${reason}`)
  console.log(`key version ${keyVersion}: you may publish the recovery key of jobs.`)
}

await runMain('jobs', main)
