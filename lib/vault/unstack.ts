import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { Refusal } from '../refusal.ts'
import { randomSeed } from './addresses.ts'
import { type BuiltTransaction, builtOf, networkOf, newIntentId, recordIntent } from './building.ts'
import type { VaultDeps } from './deps.ts'
import { choosePayoutAccount, payoutRent } from './escrow/payout-account.ts'
import { buildUnstack } from './escrow/unstack.ts'
import { requireIntact, requirePosition, requireUnlocked } from './guards.ts'
import { insertUnstack } from './intent-queries.ts'
import { keysOf } from './keyring.ts'
import { TRANSACTION_LIFETIME_MS } from './limits.ts'
import { lookUpPositions } from './look-up.ts'
import { closePositions } from './position-queries.ts'
import type { Intent } from './queries.ts'
import { settledVault } from './read.ts'
import { termsOf } from './settlement.ts'
import { unstackMessage } from './wording.ts'

/**
 * Builds and records the transaction that withdraws an unlocked position whole, its unclaimed yield with it,
 * and closes its account. It may be asked for again at any time: only one can land.
 * @throws Refusal position_not_found, position_locked, position_not_intact, dependency_unavailable
 */
export async function unstack(
  deps: VaultDeps,
  owner: Wallet,
  { positionId }: { positionId: number },
): Promise<BuiltTransaction> {
  const recorded = await settledVault(deps, owner)
  const row = requirePosition(recorded.positions, positionId)
  requireUnlocked(termsOf(row), deps.now)
  const { address, generation, principal } = row
  const keyring = await deps.keyring()
  const keys = keysOf(keyring, generation)
  const escrow = { owner, mint: keyring.mint, keys }
  const seen = await lookUpPositions(deps, escrow, [row])
  await closePositions(deps.db, owner, seen.gone, deps.now)
  const balance = requireIntact(row, seen.positions.get(address)?.amount)
  const fresh = recorded.openIntents.find((intent) => isFreshUnstack(intent, address, balance, deps.now))
  if (fresh) return builtOf(fresh)
  const id = newIntentId(deps)
  const { ownerTokens, rents } = seen
  const payout = choosePayoutAccount(ownerTokens, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const network = networkOf(deps, seen)
  const built = await buildUnstack(keys.signer, { id, escrow, position: address, balance, payout, network })
  const rent = payoutRent(ownerTokens, payout, rents.tokenAccount)
  const message = unstackMessage(balance, principal, { fee: built.fee, rent })
  const answer = await recordIntent(deps, { id, owner, generation, built, message, seen }, (intent) =>
    insertUnstack(deps.db, intent, { address, balance }),
  )
  if (answer) return answer
  throw new Refusal('position_not_found', `Position ${positionId} has just been withdrawn.`)
}

/**
 * Whether an open unstack still has most of its life and would still land: asking again soon gives the same
 * one, so that asking often piles nothing up.
 */
const isFreshUnstack = (intent: Intent, address: Address, held: Cred, now: Date): boolean =>
  intent.kind === 'unstack' &&
  intent.legs.some((leg) => leg.address === address && leg.balanceBefore === held) &&
  now.getTime() - intent.createdAt.getTime() < TRANSACTION_LIFETIME_MS / 3
