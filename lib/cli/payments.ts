import { cred, formatAmount } from '../../schema/amounts.ts'
import * as postgres from '../db/functions.ts'
import { releaseHire, selectHeld } from '../payments/restore/held-queries.ts'
import { selectInconclusive } from '../payments/settlement/search-queries.ts'
import { settleInconclusive } from '../payments/settlement/settle-inconclusive.ts'
import { readFeeStep } from '../reputation/counterparties/settings.ts'
import { createRpc } from '../solana/rpc.ts'
import { readCommandLine, required, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf, STAGE } from './deploy/stage.ts'
import { readVars } from './deploy/vars.ts'

const USAGE = `npm run payments -- unproven        signed collections whose outcome the chain does not show
npm run payments -- settle --transaction <id> [--rpc <url>]   settles one by a node with a longer history;
                               without --rpc by SOLANA_RPC_URL's, since a command line shows a key to others
  --assume-expired             frees its charges without proof: if it did land, they are paid twice
npm run payments -- held            hires that a restore holds, with the amounts collected for them
npm run payments -- paid --transaction <collection> --charges <id,id,…>   marks these charges of held hires as paid by it
npm run payments -- release --hire <id>     lets the owner collect a held hire's remaining charges

Works on the local platform while it runs, on the database of DATABASE_URL, or on that of --stage <name>. The
setting FEE_STEP is the environment's, .deployment's or, without either, wrangler.toml's.`

/** After this time a collection is confirmed or expired, and only the proof is missing. */
const UNPROVEN_AFTER_MS = 600_000
const MAX_LISTED = 1_000

/** The environment of the process, or of the stage of `--stage`. */
let env: NodeJS.ProcessEnv = process.env

/** `npm run payments`: settles collections with an unproven outcome, and hires that a restore paused. */
async function main() {
  const { values, positionals } = readCommandLine({
    transaction: { type: 'string' },
    rpc: { type: 'string' },
    'assume-expired': { type: 'boolean', default: false },
    charges: { type: 'string' },
    hire: { type: 'string' },
    ...STAGE,
  })
  env = environmentOf(process.env, values)
  const [command, ...others] = positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  if (command === 'unproven') return list()
  if (command === 'held') return listHeld()
  if (command === 'paid') return paid(idOf('--transaction', values.transaction), values.charges)
  if (command === 'release') return release(idOf('--hire', values.hire))
  if (command !== 'settle')
    throw new UsageError('the command must be unproven, settle, held, paid or release')
  const id = required('--transaction', values.transaction)
  const rpc = createRpc(required('--rpc', values.rpc ?? env.SOLANA_RPC_URL))
  return settle(id, { rpc, assumeExpired: values['assume-expired'] })
}

async function list() {
  const rows = await withDatabase(env, ({ db, now }) =>
    selectInconclusive(db, { signedBy: new Date(now.getTime() - UNPROVEN_AFTER_MS), limit: MAX_LISTED }),
  )
  for (const { id, wallet, cosignedAt, askedAt } of rows) {
    const times = `signed ${cosignedAt?.toISOString()}\tchecked or due ${askedAt.toISOString()}`
    console.log(`${id}\tof ${wallet}\t${times}`)
  }
  if (rows.length === 0) console.log('Nothing found.')
}

async function settle(
  id: string,
  { rpc, assumeExpired }: { rpc: ReturnType<typeof createRpc>; assumeExpired: boolean },
) {
  const feeStep = await feeStepOf()
  const kind = await withDatabase(env, ({ db, now }) =>
    settleInconclusive({ db, rpc, now, feeStep }, id, { assumeExpired }),
  )
  if (!kind)
    throw new Error(
      'this node proves nothing, because its history is too short: use a node with a longer history',
    )
  console.log(`${id}: ${kind}`)
}

const feeStepOf = async () => readFeeStep((await readVars(env))('FEE_STEP'))

async function listHeld() {
  const rows = await withDatabase(env, ({ db }) => selectHeld(db))
  for (const { hireId, owner, hirer, collectionId, amount, explained } of rows) {
    const sums = `collected ${formatAmount(amount)} CRED, of which ${formatAmount(cred(explained))} are explained`
    console.log(`hire ${hireId}\tof ${hirer}\tagent of ${owner}\tcollection ${collectionId}\t${sums}`)
  }
  if (rows.length === 0) console.log('Nothing found.')
}

async function paid(id: string, list: string | undefined) {
  const charges = required('--charges', list)
    .split(',')
    .map((charge) => idOf('--charges', charge.trim()))
  const feeStep = await feeStepOf()
  const { outcome } = await withDatabase(env, ({ db, now }) =>
    postgres.settleHeld.call(db, { id, charges: [...new Set(charges)], feeStep, now }),
  )
  if (outcome === 'too_much')
    throw new Error('the charges of a hire exceed the amount that was collected for it')
  if (outcome === 'not_held')
    throw new Error('each charge must be due, and on a held hire that this collection was paid from')
  console.log(`${id}: ${counted(charges.length)} collected`)
}

async function release(hireId: string) {
  const isReleased = await withDatabase(env, ({ db }) => releaseHire(db, hireId))
  if (!isReleased) throw new Error('it is not held')
  console.log(`${hireId}: its due charges can be collected again`)
}

const counted = (count: number): string => (count === 1 ? '1 charge' : `${count} charges`)

function idOf(flag: string, text: string | undefined): string {
  const id = required(flag, text)
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id.toLowerCase()
  throw new UsageError(`${flag} must be an id`)
}

await runMain('payments', USAGE, main)
