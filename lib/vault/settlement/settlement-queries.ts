import type { Cred } from '../../../schema/amounts.ts'
import type { IntentFailure } from '../../../schema/values.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { VaultKeys } from '../addresses.ts'
import { assemble, type Intent, type RecordedVault, vaultItems } from '../queries.ts'

/* Records outcomes. */

/** The balance of an account as read. */
type SeenBalance = { address: Address; balance: Cred }

/** The outcome of an intent on the chain, and the slot at which its accounts were read. */
export type Outcome =
  | { kind: 'landed'; intent: Intent; balances: SeenBalance[]; slot: bigint }
  /**
   * `isBlocked`: a donation to the position's account has failed the withdrawal. `isVaultOpen`:
   * whether the vault existed, without which no stack can have landed.
   */
  | { kind: 'expired'; intent: Intent; isBlocked: boolean; isVaultOpen: boolean }
  /** `keys`: the addresses that its vault was compared with. */
  | { kind: 'failed'; intent: Intent; reason: IntentFailure; keys: VaultKeys }

/**
 * Records outcomes, publishes their events, and reads the vault afterwards, in one round trip and one
 * transaction. The intent's status guards each outcome, so that it is recorded at most once.
 * @returns the vault, and the webhook endpoints with due deliveries
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
  const recorded = results.slice(0, -4) as { toNotify?: string[] }[][]
  return { recorded: assemble(...vault), due: recorded.flat().flatMap(({ toNotify }) => toNotify ?? []) }
}

/** Returns the call that records an outcome, as part of a batch. */
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
      const { isBlocked } = outcome
      return postgres.expireVaultIntent.item({
        ...intent,
        networkSignature,
        lastValidBlockHeight,
        isBlocked,
      })
    }
    case 'failed': {
      const { authority, recovery } = outcome.keys
      return postgres.failVaultIntent.item({ ...intent, reason: outcome.reason, authority, recovery })
    }
  }
}
