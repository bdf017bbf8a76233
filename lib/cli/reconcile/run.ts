import { type Cred, cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Db } from '../../db/connect.ts'
import { isLogAhead } from '../../events/restore-queries.ts'
import { changedKeyVersions } from '../../keys/key-versions.ts'
import { paymentSettings } from '../../payments/keys.ts'
import { type PaymentFindings, restorePayments } from '../../payments/restore/restore.ts'
import type { FoundOfJobs } from '../../payments/restore/restore-jobs.ts'
import { readFeeBps, readFeeStep } from '../../reputation/counterparties/settings.ts'
import type { Address } from '../../solana/address.ts'
import { decodeMint } from '../../solana/token-state.ts'
import { readKeyVersionState } from '../../vault/breaker/switch-queries.ts'
import { escrowSettings } from '../../vault/keyring.ts'
import { restoreVault, type VaultFindings } from '../../vault/restore/restore.ts'
import { yieldDayOf } from '../../vault/stacking/admission.ts'
import { countLostTime } from '../../work/operate.ts'
import { closeUnanswered, type Unanswered } from '../../x402/payments/restore-queries.ts'
import { required, UsageError } from '../arguments.ts'
import { withDatabase } from '../database.ts'
import { isWithoutSolana, readVars } from '../deploy/vars.ts'
import { type Cluster, connectCluster } from '../solana/cluster.ts'
import { LOST, LOST_WITHOUT_SOLANA } from '../solana/lost.ts'

/** A transaction built shortly before the backup may have been confirmed later, without a record. */
const MARGIN_MS = 3_600_000

type Reconciled = {
  /** The time of the restored database's last row. */
  since: Date
  /** A node's URL; without it SOLANA_RPC_URL's. */
  rpcUrl?: string | undefined
  isPlan: boolean
}

/**
 * Records what the chain shows of the time that a restored database lacks. Prints this, and what the chain
 * can't show. A second run finds nothing new.
 * @param env DATABASE_URL names the database; the local platform's by default
 * @throws UsageError, Error that say what to do; repeat a run that was interrupted
 */
export async function reconcile(
  env: NodeJS.ProcessEnv,
  { since, rpcUrl, isPlan }: Reconciled,
): Promise<void> {
  if (isWithoutSolana(env)) {
    await withDatabase(env, ({ db }) => requireOwnLog(db))
    return console.log(LOST_WITHOUT_SOLANA)
  }
  const cluster = connectCluster(required('--rpc', rpcUrl ?? env.SOLANA_RPC_URL))
  const settings = await readSettings(env)
  const chainTime = await requireHistory(cluster, settings.escrow.mint, since)
  const startedAt = Date.now()
  const from = new Date(since.getTime() - MARGIN_MS)
  const { vault, payments, requests, counted } = await withDatabase(env, async ({ db }) => {
    const { rows } = await readKeyVersionState(db, yieldDayOf(chainTime))
    const changed = changedKeyVersions(settings.escrow.keyVersions, rows)
    if (changed.length > 0)
      throw new Error(`the addresses of key version ${changed.join(', ')} differ from the deployed ones`)
    await requireOwnLog(db)
    // The chain's time, as in the Workers. With an earlier time claimed yield would look paid out too early.
    const clock = () => new Date(chainTime.getTime() + Date.now() - startedAt)
    const deps = {
      ...settings,
      db,
      rpc: cluster.rpc,
      now: chainTime,
      clock,
      notify: () => {},
      // The daily job run finds what is due.
      schedule: () => {},
      since: from,
      isPlan,
    }
    return {
      vault: await restoreVault(deps),
      payments: await restorePayments(deps),
      requests: await closeUnanswered(db, deps),
      counted: isPlan ? 0 : await countLostTime(deps, since),
    }
  })
  tellVault(vault)
  tellPayments(payments)
  tellRequests(requests)
  if (counted > 0) console.log(`The lost time was added to the deadlines of ${counted} jobs.`)
  console.log(`\n${isPlan ? 'Plan: nothing was changed.' : 'Recorded.'} ${LOST}`)
  if (vault.failures === 0) return
  throw new Error(`${vault.failures} positions could not be read: run this again`)
}

async function requireOwnLog(db: Db): Promise<void> {
  if (await isLogAhead(db)) throw new Error(OTHER_SERVER)
}

const OTHER_SERVER = `the events have transaction ids of another server (a dump was restored), so readers would miss them. First run, over the direct URL:
  set statement_timeout = 0; update events set xid = 0;`

/**
 * Reads a time with its zone, such as 2026-11-23T10:00:00Z.
 * @throws UsageError
 */
export function timeOf(text: string): Date {
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError('--since must be a time with its zone, such as 2026-11-23T10:00:00Z')
  return time
}

async function readSettings(env: NodeJS.ProcessEnv) {
  const of = await readVars(env)
  const mint = of('VAULT_MINT')
  const vaultAuthorityAddresses = of('VAULT_AUTHORITY_ADDRESSES')
  return {
    escrow: escrowSettings({
      mint,
      authorityAddresses: vaultAuthorityAddresses,
      recoveryAddresses: of('VAULT_RECOVERY_ADDRESSES'),
    }),
    settings: paymentSettings({
      mint,
      authorityAddresses: of('PAYMENTS_AUTHORITY_ADDRESSES'),
      vaultAuthorityAddresses,
    }),
    feeBps: readFeeBps(of('PROTOCOL_FEE_BPS')),
    feeStep: readFeeStep(of('FEE_STEP')),
  }
}

/**
 * Requires a node of the right cluster whose history reaches back far enough.
 * @returns the chain's time
 */
async function requireHistory(cluster: Cluster, mint: Address, since: Date) {
  const { accounts } = await cluster.rpc.accounts([mint])
  if (!decodeMint(accounts[0]))
    throw new Error(`${cluster.name} has no mint ${mint}: check VAULT_MINT and the cluster of the node`)
  const { slot } = await cluster.rpc.finalizedBlock()
  const seconds = await cluster.call('getBlockTime', (connection) => connection.getBlockTime(Number(slot)))
  if (seconds === null)
    throw new Error(`${cluster.name} does not return the time of its last finalized block`)
  const now = new Date(seconds * 1_000)
  if (since > now) throw new UsageError('--since is later than the chain’s last finalized block')
  const begin = await cluster.rpc.firstTime()
  if (begin === undefined || begin > since)
    throw new Error(
      `the history of ${cluster.name} starts at ${begin?.toISOString() ?? 'an unknown time'}: use a node with a longer history`,
    )
  return now
}

const credText = (amount: Cred): string => `${formatAmount(amount)} CRED`
const line = (...cells: string[]) => console.log(cells.join('\t'))

function tellVault({ found, actionable, recovery }: VaultFindings) {
  for (const { kind, id, owner, legs, signature } of found)
    line('found', kind, id, `of ${owner}`, credText(sumOf(legs.map(({ amount }) => amount))), signature)
  for (const { row, status, isEarly } of actionable)
    line(
      'position',
      row.address,
      `of ${row.owner}`,
      isEarly ? `${status}, paid out before its lock ended` : status,
    )
  for (const { signature, memo = '' } of recovery) line('recovery key', signature, memo)
}

function tellPayments({ funded, settled, held, bought, ofJobs, unknownHires }: PaymentFindings) {
  for (const { hireId, address, collectible } of funded)
    line('funded', `hire ${hireId}`, address, `${credText(cred(collectible))} can be collected`)
  for (const { id, owner, signature } of settled) line('collected', id, `of ${owner}`, signature)
  for (const { id, owner, amount, signature } of bought)
    line('bought', id, `of ${owner}`, credText(amount), signature)
  for (const { id, owner, legs, hires, signature } of held) {
    for (const { address, amount, fee } of legs) {
      const hire = hires.get(address)
      const sum = `${credText(amount)}, fee ${credText(fee)}`
      line(
        hire ? `held\thire ${hire}` : 'lost hire',
        `account ${address}`,
        sum,
        `collection ${id}`,
        `of ${owner}`,
        signature,
      )
    }
  }
  for (const found of ofJobs) tellJobs(found)
  for (const { hireId, amount, signature } of unknownHires)
    line('lost hire', hireId, `funded with ${amount}`, signature)
}

function tellJobs({ kind, id, wallet, legs, isNewJob, lostEscrows, signature, ...found }: FoundOfJobs) {
  const lost = new Set(lostEscrows.map(({ escrow }) => escrow))
  const recorded = legs.filter(({ escrow }) => !lost.has(escrow))
  const jobId = 'jobId' in found ? [`job ${found.jobId}`] : []
  if (recorded.length > 0) {
    const amount = credText(sumOf(recorded.map((leg) => leg.amount)))
    const anew = isNewJob ? ['made anew: disputed, without a judge'] : []
    line('found', kind, id, ...jobId, `of ${wallet}`, amount, ...anew, signature)
  }
  for (const { escrow, amount } of lostEscrows)
    line('lost job', ...jobId, `escrow ${escrow}`, credText(amount), kind, `of ${wallet}`, signature)
}

function tellRequests(requests: Unanswered[]) {
  for (const { id, owner, payer, networkSignature } of requests)
    line('unanswered', id, `of ${payer}`, `to ${owner}`, networkSignature)
}
