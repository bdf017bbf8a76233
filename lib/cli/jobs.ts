import * as v from 'valibot'
import { deleteTexts, extendDeadlines } from '../work/operate.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'

/** `npm run jobs`: moves deadlines of jobs after an outage, and deletes illegal texts. */
async function main() {
  const { values, positionals } = readCommandLine('jobs')
  const env = environmentOf(process.env, values)
  const [command, job, ...others] = positionals
  if (command === 'extend' && job === undefined) {
    const until = new Date(values.until ?? '')
    if (!/^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(values.until ?? '') || Number.isNaN(until.getTime()))
      throw new UsageError('--until must be a time such as 2026-11-23T18:00Z')
    const extended = await withDatabase(env, (deps) => extendDeadlines(deps, until))
    console.log(`${extended} deadlines moved to ${until.toISOString()}`)
    return
  }
  if (values.until !== undefined) throw new UsageError('only extend has --until')
  if (command !== 'delete-texts' || others.length > 0)
    throw new UsageError('the command must be extend, or delete-texts with the id of a job')
  if (!v.is(v.pipe(v.string(), v.uuid()), job)) throw new UsageError('the id of a job must be a UUID')
  if (!(await withDatabase(env, (deps) => deleteTexts(deps, job)))) throw new Error('no job has this id')
  console.log(job)
}

await runMain('jobs', main)
