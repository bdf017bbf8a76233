import { cred, formatAmount } from '../../schema/amounts.ts'
import * as postgres from '../db/functions.ts'
import { releaseHire, selectHeld } from '../payments/restore/held-queries.ts'
import { selectUnproven } from '../payments/settlement/search-queries.ts'
import { settleUnproven } from '../payments/settlement/settle-unproven.ts'
import { readFeeStep } from '../reputation/counterparties/settings.ts'
import { createRpc } from '../solana/rpc.ts'
import { readCommandLine, required, requiredUuid, requiredUuids, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'
import { readVars } from './deploy/vars.ts'

/**
 * Ten minutes after its signature, a transaction has landed or expired for certain. If it is still open, only
 * the proof of its outcome is missing.
 */
const UNPROVEN_AFTER_MS = 600_000
const MAX_LISTED = 1_000

/** The environment of the process, or of the stage of `--stage`. */
let env: NodeJS.ProcessEnv = process.env

/** `npm run payments`: settles collections with an unproven outcome, and hires that a restore holds. */
async function main() {
  const { values, positionals } = readCommandLine('payments')
  env = environmentOf(process.env, values)
  const [command, ...others] = positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  if (command === 'unproven') return listUnproven()
  if (command === 'held') return listHeld()
  if (command === 'paid') return markPaid(values)
  if (command === 'release') return release(requiredUuid('--hire', values.hire))
  const id = requiredUuid('--transaction', values.transaction)
  const rpc = createRpc(required('--rpc', values.rpc ?? env.SOLANA_RPC_URL))
  return settle(id, { rpc, assumeExpired: values['assume-expired'] })
}

async function listUnproven() {
  const { rows, now } = await withDatabase(env, async ({ db, now }) => {
    const signedBefore = new Date(now.getTime() - UNPROVEN_AFTER_MS)
    return { rows: await selectUnproven(db, { signedBefore, limit: MAX_LISTED }), now }
  })
  for (const { id, wallet, cosignedAt, askedAt } of rows) {
    const check = askedAt > now ? 'next check' : 'last check'
    const times = `signed ${cosignedAt?.toISOString()}\t${check} ${askedAt.toISOString()}`
    console.log(`${id}\tof ${wallet}\t${times}`)
  }
  if (rows.length === 0) console.log('No collection or purchase is unproven.')
}

async function settle(
  id: string,
  { rpc, assumeExpired }: { rpc: ReturnType<typeof createRpc>; assumeExpired: boolean },
) {
  const feeStep = await feeStepOf()
  const kind = await withDatabase(env, ({ db, now }) =>
    settleUnproven({ db, rpc, now, feeStep }, id, { assumeExpired }),
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
  for (const { hireId, owner, hirer, collectionId, amount, knownCharges } of rows) {
    const sums = `collected ${formatAmount(amount)} CRED, known charges ${formatAmount(cred(knownCharges))} CRED`
    console.log(`hire ${hireId}\tof ${hirer}\tagent of ${owner}\tcollection ${collectionId}\t${sums}`)
  }
  if (rows.length === 0) console.log('No hire is held.')
}

async function markPaid(values: { transaction?: string; charges?: string }) {
  const id = requiredUuid('--transaction', values.transaction)
  const charges = requiredUuids('--charges', values.charges)
  const feeStep = await feeStepOf()
  const { outcome } = await withDatabase(env, ({ db, now }) =>
    postgres.settleHeld.call(db, { id, charges, feeStep, now }),
  )
  if (outcome === 'too_much')
    throw new Error('the charges of a hire exceed the amount that was collected for it')
  if (outcome === 'not_held')
    throw new Error('each charge must be due, and on a held hire that this collection was paid from')
  console.log(`${id}: ${counted(charges.length)} marked as paid`)
}

async function release(hireId: string) {
  const isReleased = await withDatabase(env, ({ db }) => releaseHire(db, hireId))
  if (!isReleased) throw new Error('the hire is not held')
  console.log(`${hireId}: its due charges can be collected again`)
}

const counted = (count: number): string => (count === 1 ? '1 charge' : `${count} charges`)

await runMain('payments', main)
