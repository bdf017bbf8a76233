import { readOptions, required, runMain } from './arguments.ts'
import { environmentOf, STAGE } from './deploy/stage.ts'
import { reconcile, timeOf } from './reconcile/run.ts'

const USAGE = `npm run reconcile -- --since <ISO time> [--rpc <url>]   after a restore: records what the chain has but the database lost
  --since <time>               the last time that the restored database covers, such as 2026-11-23T10:00:00Z
  --rpc <url>                  a node with a history that reaches back to then; without it SOLANA_RPC_URL's, since
                               a command line shows a key to others
  --plan                       shows what it would record, and changes nothing

Works on the local platform while it runs, on the database of DATABASE_URL, or on that of --stage <name>. The
settings VAULT_… and PAYMENTS_… are the environment's, .deployment's or, without either, wrangler.toml's.`

/** `npm run reconcile`: records what the chain shows, after the database was restored from a backup. */
await runMain('reconcile', USAGE, async () => {
  const options = readOptions({
    since: { type: 'string' },
    rpc: { type: 'string' },
    plan: { type: 'boolean', default: false },
    ...STAGE,
  })
  const since = timeOf(required('--since', options.since))
  await reconcile(environmentOf(process.env, options), { since, rpcUrl: options.rpc, isPlan: options.plan })
})
