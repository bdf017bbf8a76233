import { readCommandLine, required, runMain } from './arguments.ts'
import { environmentOf } from './deploy/stage.ts'
import { reconcile, timeOf } from './reconcile/run.ts'

/** `npm run reconcile`: records what the chain shows, after the database was restored from a backup. */
await runMain('reconcile', async () => {
  const options = readCommandLine('reconcile').values
  const since = timeOf(required('--since', options.since))
  await reconcile(environmentOf(process.env, options), { since, rpcUrl: options.rpc, isPlan: options.plan })
})
