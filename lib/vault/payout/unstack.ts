import type { Cred } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { randomSeed } from '../../solana/programs/seeded-account.ts'
import { firstCheck } from '../../transactions/confirmation/check-schedule.ts'
import { recordObservations } from '../breaker/observation-queries.ts'
import type { VaultDeps } from '../deps.ts'
import { choosePayoutAccount, payoutRent } from '../escrow/payout-account.ts'
import { buildUnstack } from '../escrow/unstack.ts'
import { requireIntact, requirePosition, requireUnlocked } from '../guards.ts'
import { keysOf } from '../keyring.ts'
import type { Intent, PositionRow } from '../queries.ts'
import { settledVault } from '../read.ts'
import { termYield } from '../rules.ts'
import { termsOf } from '../settlement/settlement.ts'
import {
  type BuiltTransaction,
  builtOf,
  freshWithdrawal,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'
import { toSign, unstackMessage } from '../transactions/wording.ts'
import { lookUpPositions } from './look-up.ts'

/**
 * Builds and records the transaction that withdraws a whole unlocked position with its unclaimed yield. It
 * closes the account, unless donations could fail that. It can be requested again at any time, since only one
 * can land.
 * @throws ApiError position_not_found, position_locked, position_not_intact, dependency_unavailable
 */
export async function unstack(
  deps: VaultDeps,
  owner: Wallet,
  { positionId, signing }: { positionId: number; signing: Signing },
): Promise<BuiltTransaction> {
  const recorded = await settledVault(deps, owner)
  const row = requirePosition(recorded.positions, positionId)
  requireUnlocked(termsOf(row), deps.now)
  const { address, keyVersion, principal } = row
  const keyring = await deps.keyring()
  const keys = keysOf(keyring, keyVersion)
  const escrow = { owner, mint: keyring.mint, keys }
  const seen = await lookUpPositions(deps, escrow, [row])
  await recordObservations(deps, seen.actionable, seen)
  const balance = requireIntact(row, seen.positions.get(address)?.amount)
  const { openIntents } = recorded
  const asked = { kind: 'unstack', address, balance, signing } as const
  const fresh = freshWithdrawal(openIntents, asked, deps.now)
  if (fresh) return builtOf(fresh)
  const leaveOpen = wouldBeBlocked(row, balance, openIntents)
  const id = newIntentId(deps)
  const { ownerTokens, rents } = seen
  const payout = choosePayoutAccount(ownerTokens, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const network = networkOf(deps, seen)
  const built = await buildUnstack(keys.signer, {
    id,
    escrow,
    position: address,
    balance,
    leaveOpen,
    signing,
    payout,
    network,
  })
  const rent = payoutRent(ownerTokens, payout, rents.tokenAccount)
  const message = toSign(unstackMessage(balance, principal, { fee: built.fee, rent, leaveOpen }), signing)
  const intent = intentOf(deps, { id, owner, keyVersion, signing, built, message, seen })
  const { outcome } = await postgres.recordWithdrawal.call(deps.db, { ...intent, ...asked })
  if (outcome === 'recorded') {
    if (signing === 'service_first') deps.schedule('settlement', firstCheck(deps.now))
    return newlyBuilt(intent)
  }
  throw new ApiError('position_not_found', `Position ${positionId} has just been withdrawn.`)
}

/**
 * Checks whether to leave the account open: it has received tokens from others, or a donation has failed an
 * earlier withdrawal. The balance does not show every donation, since a donation may hide the payout of a
 * claim.
 */
const wouldBeBlocked = (row: PositionRow, balance: Cred, openIntents: Intent[]): boolean =>
  row.leaveOpen ||
  balance > row.principal + termYield(termsOf(row)) - row.claimed ||
  openIntents.some(
    ({ kind, legs }) =>
      kind === 'unstack' && legs.some((leg) => leg.address === row.address && leg.balanceBefore < balance),
  )
