import { selectUnproven } from '../payments/settlement/search-queries.ts'
import { settleUnproven } from '../payments/settlement/settle-unproven.ts'
import { readFeeStep } from '../reputation/dealings/settings.ts'
import { createRpc } from '../solana/rpc.ts'
import { readCommandLine, required, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'

const USAGE = `npm run payments -- unproven        signed collections that the chain has shown no outcome of
npm run payments -- settle --transaction <id> --rpc <url>   settles one by a node with a longer history
  --assume-expired             frees its charges though the node proves nothing: they are paid twice if it landed

Works on the local platform while it runs, or on the database of DATABASE_URL.`

/** After this long a collection has landed or expired, and only a proof is missing. */
const UNPROVEN_AFTER_MS = 600_000
const MAX_LISTED = 1_000

/** `npm run payments`: lists collections whose outcome is unproven, and settles them. */
async function main() {
  const { values, positionals } = readCommandLine({
    transaction: { type: 'string' },
    rpc: { type: 'string' },
    'assume-expired': { type: 'boolean', default: false },
  })
  const [command, ...others] = positionals
  if (others.length > 0) throw new UsageError('there are too many arguments')
  if (command === 'unproven') return list()
  if (command !== 'settle') throw new UsageError('the command must be unproven or settle')
  const id = required('--transaction', values.transaction)
  const rpc = createRpc(required('--rpc', values.rpc))
  return settle(id, { rpc, assumeExpired: values['assume-expired'] })
}

async function list() {
  const rows = await withDatabase(process.env, ({ db, now }) =>
    selectUnproven(db, { signedBy: new Date(now.getTime() - UNPROVEN_AFTER_MS), limit: MAX_LISTED }),
  )
  for (const { id, wallet, cosignedAt, askedAt } of rows) {
    const times = `signed ${cosignedAt?.toISOString()}\tasked or to be asked ${askedAt.toISOString()}`
    console.log(`${id}\tof ${wallet}\t${times}`)
  }
  if (rows.length === 0) console.log('There is none.')
}

async function settle(
  id: string,
  { rpc, assumeExpired }: { rpc: ReturnType<typeof createRpc>; assumeExpired: boolean },
) {
  // It loads wrangler, which takes longer than all the rest.
  const { readWorkers } = await import('../tools/wrangler.ts')
  const feeStep = readFeeStep(readWorkers().find(({ group }) => group === 'payments')?.vars.FEE_STEP ?? '')
  const kind = await withDatabase(process.env, ({ db, now }) =>
    settleUnproven({ db, rpc, now, feeStep }, id, { assumeExpired }),
  )
  if (!kind) throw new Error('nothing is proven by this node: its history does not reach back far enough')
  console.log(`${id}: ${kind}`)
}

await runMain('payments', USAGE, main)
