import { and, eq, sql } from 'drizzle-orm'
import type { Address } from '../../../schema/address.ts'
import { type Cred, cred } from '../../../schema/amounts.ts'
import { vaultIntents } from '../../../schema/tables/vaults.ts'
import type { IntentFailure } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import type { VaultKeys } from '../addresses.ts'
import { assemble, type Intent, type RecordedVault, vaultItems } from '../queries.ts'
import { vaultLocked } from '../transactions/intent-queries.ts'
import { intentExpired, intentFailed } from './ending-queries.ts'
import { claimPaid, leftoversLanded, openingLanded } from './outcome-queries.ts'
import { stackLanded, unstackLanded } from './position-queries.ts'

/* Recording what the chain shows. */

/** What an account was seen to hold. */
type SeenBalance = { address: Address; balance: Cred }

/** What the chain says became of an intent, and at which slot its accounts were seen. */
export type Outcome =
  | { kind: 'landed'; intent: Intent; balances: SeenBalance[]; slot: bigint }
  /**
   * `isSpoilt`: a withdrawal that a gift to its position's account has failed. `isVaultOpen`: whether the
   * vault stood, without which no stack can have landed.
   */
  | { kind: 'expired'; intent: Intent; isSpoilt: boolean; isVaultOpen: boolean }
  /** `keys`: the addresses by which its vault was judged. */
  | { kind: 'failed'; intent: Intent; reason: IntentFailure; keys: VaultKeys }

/**
 * Records outcomes, each guarded by its intent's status and so at most once, with the event that reports it,
 * and reads the vault as it is afterwards: one round trip, one transaction.
 * @returns the vault, and the endpoints that events are due to
 */
export async function recordOutcomes(
  db: Db,
  owner: Wallet,
  outcomes: [Outcome, ...Outcome[]],
  now: Date,
): Promise<{ recorded: RecordedVault; due: string[] }> {
  // Each statement locks an intent, then the vault: two batches in different orders would otherwise wait for
  // each other.
  const results: readonly unknown[] = await batch(db, [
    vaultLocked.item({ owner }),
    ...outcomes.map((outcome) => itemOf(outcome, now)),
    ...vaultItems(owner),
  ])
  const vault = results.slice(-4) as Parameters<typeof assemble>
  const told = results.slice(1, -4) as { due?: string[] }[][]
  return { recorded: assemble(...vault), due: told.flat().flatMap(({ due }) => due ?? []) }
}

function itemOf(outcome: Outcome, now: Date) {
  const { id, kind, networkSignature, lastValidBlockHeight } = outcome.intent
  if (outcome.kind === 'expired') {
    const read = { networkSignature, lastValidBlockHeight }
    return intentExpired.item({ id, now, ...read, isSpoilt: outcome.isSpoilt })
  }
  if (outcome.kind === 'failed') {
    const { authority, recovery } = outcome.keys
    return intentFailed.item({ id, now, reason: outcome.reason, authority, recovery })
  }
  const { balances, slot } = outcome
  if (kind === 'stack') {
    return stackLanded.item({ id, now, slot, balance: balances[0]?.balance ?? cred(0n) })
  }
  if (kind === 'unstack') return unstackLanded.item({ id, now })
  if (kind === 'open_vault') return openingLanded.item({ id, now })
  if (kind === 'leftovers') return leftoversLanded.item({ id, now })
  return claimPaid.item({
    id,
    now,
    slot,
    addresses: balances.map(({ address }) => address),
    balances: balances.map(({ balance }) => balance),
  })
}

const searchRecorded = statement(
  { id: vaultIntents.id, searchedTo: vaultIntents.searchedTo, searchAfter: vaultIntents.searchAfter },
  (db, $) =>
    db
      .update(vaultIntents)
      .set({ searchedTo: sql`${$.searchedTo}`, searchAfter: sql`${$.searchAfter}` })
      .where(and(eq(vaultIntents.id, $.id), eq(vaultIntents.status, 'open'))),
)

/** Records that a search for a stack has proven nothing: where the next one goes on, and when. */
export async function recordSearch(
  db: Db,
  search: { id: string; searchedTo: string | null; searchAfter: Date },
): Promise<void> {
  await searchRecorded.run(db, search)
}
