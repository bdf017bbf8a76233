import { base64 } from '@scure/base'
import type { Address } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { equalBytes } from '../../keys/bytes.ts'
import { readLanded, successfulSince } from '../../transactions/confirmation/history-backfill.ts'
import {
  fundingIn,
  type LandedCollection,
  type LandedPurchase,
  landedCollection,
  landedPurchase,
} from '../chain/landed.ts'
import { landedOfJobs } from '../chain/landed-jobs.ts'
import { collectorsOf } from '../guards.ts'
import { treasuriesOf } from '../keys.ts'
import { recordOutcomes } from '../settlement/outcome-batches.ts'
import { findIntent } from '../transactions/intent-queries.ts'
import { type Account, type FundedBudget, findBudgets, type RestoreDeps } from './restore-budgets.ts'
import { type FoundOfJobs, restoreOfJobs } from './restore-jobs.ts'

/** A collection that the restored database lacked, and the known hires of its budget accounts, by address. */
type FoundCollection = LandedCollection & { signature: string; hires: Map<Address, string> }

/** Payments on the chain that a restored database lacked. */
export type PaymentFindings = {
  /** Funded budget accounts that were not recorded as funded. */
  funded: FundedBudget[]
  /** Collections whose charges are known, and collected now. */
  settled: FoundCollection[]
  /** Collections whose charges are unknown, so their hires are on hold. */
  held: FoundCollection[]
  /** Purchases of credit that were added. */
  bought: (LandedPurchase & { signature: string })[]
  /** Transactions of jobs: recorded ones, and ones of unknown jobs. */
  ofJobs: FoundOfJobs[]
  /** Lost hires that the memos of fundings name. Anybody can write such a memo. */
  unknownHires: { hireId: string; amount: string; signature: string }[]
}

/**
 * Reads the payments since a time from the chain and records them. Finds the funded budget accounts of all
 * hires, and the collections, purchases of credit and transactions of jobs that the authority has signed. The
 * charges of a collection are known if the database has its intent. Otherwise its hires are put on hold.
 * Idempotent. A plan records nothing.
 * @throws ApiError dependency_unavailable
 */
export async function restorePayments(deps: RestoreDeps): Promise<PaymentFindings> {
  const { funded, accounts, hireIds, owners } = await findBudgets(deps)
  const found: Pick<PaymentFindings, 'settled' | 'held' | 'bought' | 'ofJobs'> = {
    settled: [],
    held: [],
    bought: [],
    ofJobs: [],
  }
  const { keyVersions } = deps.settings
  const treasuries = await treasuriesOf(deps.settings)
  const authorities = keyVersions.map(({ authority }) => authority)
  for (const { signature, slot, landedAt = deps.since } of await successfulSince(
    deps.rpc,
    authorities,
    deps.since,
  )) {
    const landed = await readLanded(deps.rpc, signature)
    const purchase = landed && landedPurchase(landed.message, deps.settings, treasuries)
    if (purchase && (await addCredit(deps, purchase))) found.bought.push({ ...purchase, signature })
    const ofJobs = landed && (await landedOfJobs(landed.message, deps.settings, treasuries))
    const restored = ofJobs && (await restoreOfJobs(deps, ofJobs, { ...landed, signature, slot, landedAt }))
    if (restored) found.ofJobs.push(restored)
    const collection = landed && (await landedCollection(landed.message, deps.settings, treasuries))
    if (!landed || !collection) continue
    const known = new Map(
      collection.legs.flatMap(({ address }) => {
        const account = accounts.get(address)
        return account ? [[address, account] as const] : []
      }),
    )
    const hires = new Map([...known].map(([address, { hireId }]) => [address, hireId]))
    const at = { ...landed, signature, slot, landedAt, known }
    const outcome = await record(deps, collection, at)
    if (outcome) found[outcome].push({ ...collection, signature, hires })
  }
  return { funded, ...found, unknownHires: await findUnknownHires(deps, owners, hireIds) }
}

/** @returns whether the credit was missing; for a plan, whether its transaction was not recorded as landed */
async function addCredit(
  { db, now, isPlan }: RestoreDeps,
  { id, owner, amount }: LandedPurchase,
): Promise<boolean> {
  const intent = await findIntent(db, id)
  if (intent?.status === 'landed') return false
  if (isPlan) return true
  const { outcome } = await postgres.recordCredit.call(db, { id, owner, amount, now })
  return outcome === 'credited'
}

type LandedAt = {
  signature: string
  slot: bigint
  landedAt: Date
  transaction: string
  bytes: Uint8Array
  /** The known hires among its accounts. */
  known: Map<Address, Account>
}

/** @returns what happened to the charges; undefined if that was recorded before */
async function record(
  deps: RestoreDeps,
  collection: LandedCollection,
  at: LandedAt,
): Promise<'settled' | 'held' | undefined> {
  const { db, now, isPlan } = deps
  const intent = await findIntent(db, collection.id)
  if (intent?.status === 'landed') return undefined
  if (intent?.status === 'open') {
    if (isPlan) return 'settled'
    const isSigned = intent.cosignedMessage !== null || (await sign(deps, collection, intent, at))
    const signed = isSigned ? await findIntent(db, collection.id) : undefined
    if (signed && equalBytes(base64.decode(signed.cosignedMessage ?? ''), at.bytes)) {
      await recordOutcomes(deps, [{ intent: signed, kind: 'landed' }])
      return 'settled'
    }
  }
  const legs = collection.legs.flatMap((leg) => {
    const account = at.known.get(leg.address)
    return account ? [{ ...leg, hireId: account.hireId, seed: account.account.seed }] : []
  })
  // Without a known hire nothing can be put on hold, so every run reports the collection.
  if (isPlan || legs.length === 0) return 'held'
  const { outcome } = await postgres.holdCollection.call(db, {
    id: collection.id,
    wallet: collection.owner,
    keyVersion: collection.keys.keyVersion,
    feeBps: deps.feeBps,
    transaction: at.transaction,
    message: collection.memo,
    cosignedMessage: base64.encode(at.bytes),
    networkSignature: at.signature,
    slot: at.slot,
    landedAt: at.landedAt,
    hires: legs.map(({ hireId }) => hireId),
    addresses: legs.map(({ address }) => address),
    seeds: legs.map(({ seed }) => seed),
    amounts: legs.map(({ amount }) => amount),
    fees: legs.map(({ fee }) => fee),
    now,
  })
  return outcome === 'held' ? 'held' : undefined
}

/** Records the message of a collection whose intent is in the backup, but not its signature. */
async function sign(
  { db, now }: RestoreDeps,
  { id, owner }: LandedCollection,
  { transaction, lastValidBlockHeight }: { transaction: string; lastValidBlockHeight: bigint },
  { bytes, signature }: LandedAt,
): Promise<boolean> {
  const { outcome } = await postgres.cosignPayment.call(db, {
    id,
    wallet: owner,
    transaction,
    message: base64.encode(bytes),
    networkSignature: signature,
    lastValidBlockHeight,
    builtAfter: new Date(0),
    now,
  })
  return outcome === 'recorded'
}

/** Finds lost hires by the memos of fundings, which name the payout account that they approve. */
async function findUnknownHires(
  { rpc, settings, since }: RestoreDeps,
  owners: Set<Address>,
  hireIds: Set<string>,
): Promise<PaymentFindings['unknownHires']> {
  const collectors = await Promise.all([...owners].map((owner) => collectorsOf(settings, owner)))
  const entries = await successfulSince(
    rpc,
    collectors.flatMap((some) => [...some.keys()]),
    since,
  )
  return entries.flatMap(({ memo, signature }) => {
    const funding = fundingIn(memo)
    return funding && !hireIds.has(funding.hireId) ? [{ ...funding, signature }] : []
  })
}
