import type { Cred } from '../../../schema/amounts.ts'
import type { IntentFailure } from '../../../schema/values.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { VaultKeys } from '../addresses.ts'
import { assemble, type Intent, type RecordedVault, vaultItems } from '../queries.ts'

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
  const [first, ...rest] = outcomes
  const results: readonly unknown[] = await batch(db, [
    itemOf(first, owner, now),
    ...rest.map((outcome) => itemOf(outcome, owner, now)),
    ...vaultItems(owner),
  ])
  const vault = results.slice(-4) as Parameters<typeof assemble>
  const told = results.slice(0, -4) as { nudges?: string[] }[][]
  return { recorded: assemble(...vault), due: told.flat().flatMap(({ nudges }) => nudges ?? []) }
}

/** The call that records an outcome, as a part of a batch. */
export function itemOf(outcome: Outcome, owner: Wallet, now: Date) {
  const { id, networkSignature, lastValidBlockHeight } = outcome.intent
  const intent = { id, owner, now }
  switch (outcome.kind) {
    case 'landed':
      return postgres.landVaultIntent.item({
        ...intent,
        addresses: outcome.balances.map(({ address }) => address),
        balances: outcome.balances.map(({ balance }) => balance),
        slot: outcome.slot,
      })
    case 'expired': {
      const { isSpoilt } = outcome
      return postgres.expireVaultIntent.item({ ...intent, networkSignature, lastValidBlockHeight, isSpoilt })
    }
    case 'failed': {
      const { authority, recovery } = outcome.keys
      return postgres.failVaultIntent.item({ ...intent, reason: outcome.reason, authority, recovery })
    }
  }
}
