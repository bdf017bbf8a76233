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
import { collectorsOf } from '../guards.ts'
import { treasuryOf } from '../keys.ts'
import { recordOutcomes } from '../settlement/outcome-batches.ts'
import { findIntent } from '../transactions/intent-queries.ts'
import { type Account, type FundedBudget, findBudgets, type RestoreDeps } from './restore-budgets.ts'

/** A collection of the lost hour, and the known hires among its budget accounts, by address. */
type FoundCollection = LandedCollection & { signature: string; hires: Map<Address, string> }

/** What the chain has of payments and a restored database had not. */
export type PaymentFindings = {
  /** Budget accounts that are funded, and not recorded so. */
  funded: FundedBudget[]
  /** Collections whose charges are known: they are collected. */
  settled: FoundCollection[]
  /** Collections whose charges nobody knows: their hires are held. */
  held: FoundCollection[]
  /** Purchases of credit that were added. */
  bought: (LandedPurchase & { signature: string })[]
  /** Hires that memos of fundings name, and that are lost. Anybody can write such a memo. */
  unknownHires: { hireId: string; amount: string; signature: string }[]
}

/**
 * Reads from the chain what payments did since a time and records it: budget accounts that are funded, of
 * all hires; and collections and purchases of credit, by the authority's signatures. Which charges a
 * collection paid is known where it was built before the database's last moment; else its hires are held.
 * Idempotent; as a plan it records nothing.
 * @throws ApiError dependency_unavailable
 */
export async function restorePayments(deps: RestoreDeps): Promise<PaymentFindings> {
  const { funded, accounts, hireIds, owners } = await findBudgets(deps)
  const found: Pick<PaymentFindings, 'settled' | 'held' | 'bought'> = { settled: [], held: [], bought: [] }
  const { generations } = deps.settings
  const treasury = await treasuryOf(deps.settings)
  const authorities = generations.map(({ authority }) => authority)
  for (const { signature, slot, landedAt = deps.since } of await successfulSince(
    deps.rpc,
    authorities,
    deps.since,
  )) {
    const landed = await readLanded(deps.rpc, signature)
    const purchase = landed && landedPurchase(landed.message, deps.settings, treasury)
    if (purchase && (await addCredit(deps, purchase))) found.bought.push({ ...purchase, signature })
    const collection = landed && (await landedCollection(landed.message, deps.settings, treasury))
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

/** @returns whether it is credit that was not recorded; as a plan, that its transaction was not */
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

/** @returns what becomes of its charges; undefined when that is recorded */
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
  // Where all of its hires are lost, there is nothing to hold: it is told anew each time.
  if (isPlan || legs.length === 0) return 'held'
  const { outcome } = await postgres.holdCollection.call(db, {
    id: collection.id,
    wallet: collection.owner,
    generation: collection.keys.generation,
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

/** Records the message of a collection that was built before and signed after the database's last moment. */
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

/** A funding names the collector that it approves, so collectors tell of hires that are lost. */
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
