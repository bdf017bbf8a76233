import type { Signing } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { randomSeed } from '../../solana/programs/seeded-account.ts'
import { firstCheck } from '../../transactions/confirmation/check-schedule.ts'
import type { VaultDeps } from '../deps.ts'
import { choosePayoutAccount, payoutRent } from '../escrow/payout-account.ts'
import { buildAccountClosing } from '../escrow/unstack.ts'
import { requireUnlocked } from '../guards.ts'
import { keysOf } from '../keyring.ts'
import { readPosition } from '../queries.ts'
import { settledVault } from '../read.ts'
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
import { closingMessage, toSign } from '../transactions/wording.ts'
import { lookUpPositions } from './look-up.ts'

/**
 * Builds and records the transaction that closes an account that a withdrawal has left open, and pays out the
 * tokens that others have sent to it. It is a transaction of its own, since a donation can fail it, and would
 * fail a payout with it.
 * @throws ApiError position_not_found, position_locked, no_leftovers, dependency_unavailable
 */
export async function closeAccount(
  deps: VaultDeps,
  owner: Wallet,
  { positionId, signing }: { positionId: number; signing: Signing },
): Promise<BuiltTransaction> {
  const { row, openIntents } = await withdrawnPosition(deps, owner, positionId)
  // The service releases no tokens before the end of the lock, also if the recovery key emptied the position.
  requireUnlocked(termsOf(row), deps.now)
  const { address, keyVersion } = row
  const keyring = await deps.keyring()
  const keys = keysOf(keyring, keyVersion)
  const escrow = { owner, mint: keyring.mint, keys }
  const seen = await lookUpPositions(deps, escrow, [row])
  const balance = seen.positions.get(address)?.amount
  if (balance === undefined) {
    throw new ApiError('no_leftovers', `The account of position ${positionId} is closed.`)
  }
  const asked = { kind: 'leftovers', address, balance, signing } as const
  const fresh = freshWithdrawal(openIntents, asked, deps.now)
  if (fresh) return builtOf(fresh)
  const id = newIntentId(deps)
  const { ownerTokens, rents } = seen
  const payout = choosePayoutAccount(ownerTokens, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const network = networkOf(deps, seen)
  const built = await buildAccountClosing(keys.signer, {
    id,
    escrow,
    position: address,
    balance,
    signing,
    payout,
    network,
  })
  const rent = payoutRent(ownerTokens, payout, rents.tokenAccount)
  const message = toSign(closingMessage(balance, { fee: built.fee, rent }), signing)
  const intent = intentOf(deps, { id, owner, keyVersion, signing, built, message, seen })
  const { outcome } = await postgres.recordWithdrawal.call(deps.db, { ...intent, ...asked })
  if (outcome !== 'recorded') return notFound(positionId)
  if (signing === 'service_first') deps.schedule('settlement', firstCheck(deps.now))
  return newlyBuilt(intent)
}

/** Returns the withdrawn position. If it is recorded as open, asks the chain about its withdrawal first. */
async function withdrawnPosition(deps: VaultDeps, owner: Wallet, id: number) {
  const read = await readPosition(deps.db, owner, id)
  if (read.row?.status === 'withdrawn') return { ...read, row: read.row }
  if (read.row?.status !== 'open' || read.openIntents.length === 0) return notFound(id)
  await settledVault(deps, owner)
  const { row, openIntents } = await readPosition(deps.db, owner, id)
  return row?.status === 'withdrawn' ? { row, openIntents } : notFound(id)
}

function notFound(id: number): never {
  throw new ApiError('position_not_found', `You have no withdrawn position ${id}.`)
}
