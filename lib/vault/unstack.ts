import { v7 as uuidv7 } from 'uuid'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { Refusal } from '../refusal.ts'
import { parseAddress } from '../solana/address.ts'
import {
  type BuiltTransaction,
  builtOf,
  costsOf,
  payoutRentOf,
  positionAccounts,
  randomSeed,
  signerOf,
} from './building.ts'
import type { VaultDeps } from './deps.ts'
import { choosePayoutAccount } from './escrow/payout-account.ts'
import { buildUnstack } from './escrow/unstack.ts'
import { TRANSACTION_LIFETIME_MS } from './limits.ts'
import { type Intent, insertUnstack } from './queries.ts'
import { settledVault } from './read.ts'
import { formatAmount, isLocked, unlocksAt } from './rules.ts'
import { termsOf } from './settlement.ts'

/**
 * Builds and records the transaction that withdraws an unlocked position whole, its unclaimed yield with it, and
 * closes its account. It may be asked for again at any time: only one can land.
 * @throws Refusal position_not_found, position_locked, position_not_intact, dependency_unavailable
 */
export async function unstack(
  deps: VaultDeps,
  owner: Wallet,
  input: { positionId: number },
): Promise<BuiltTransaction> {
  const { positions: recorded, openIntents } = await settledVault(deps, owner)
  const row = recorded.find(({ id }) => id === input.positionId)
  if (!row) throw new Refusal('position_not_found', `You have no open position ${input.positionId}.`)
  const terms = termsOf(row)
  if (isLocked(terms, deps.now)) {
    throw new Refusal('position_locked', `The position is locked until ${unlocksAt(terms).toISOString()}.`)
  }
  const keyring = await deps.keyring()
  const keys = signerOf(keyring, row.generation)
  const escrow = { owner, mint: keyring.mint, keys }
  const { slot, blockhash, purse, positions, rents } = await positionAccounts(deps, escrow, [row])
  const held = positions.get(row.address)?.amount
  if (held === undefined || held < row.principal) {
    throw new Refusal(
      'position_not_intact',
      'The position’s account has been emptied or changed on the chain.',
    )
  }
  const fresh = openIntents.find((intent) => isFreshUnstack(intent, row.address, held, deps.now))
  if (fresh) return builtOf(fresh)
  const balance = cred(held)
  const id = uuidv7({ msecs: deps.now.getTime() })
  const payout = choosePayoutAccount(purse, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const { transaction, fee } = await buildUnstack(keys.signer, {
    id,
    escrow,
    position: parseAddress(row.address),
    balance,
    payout,
    network: { blockhash: blockhash.blockhash, computeUnitPrice: deps.computeUnitPrice },
  })
  const yieldPart = cred(balance - row.principal)
  const message = [
    `Signing withdraws ${formatAmount(balance)} CRED: ${formatAmount(terms.amount)} CRED principal and ${formatAmount(yieldPart)} CRED yield.`,
    `The position’s account is closed and its rent returned to you; it costs ${costsOf(fee, payoutRentOf(purse, payout, rents))}.`,
  ].join(' ')
  const { lastValidBlockHeight } = blockhash
  const { generation } = row
  const intent = {
    id,
    owner,
    generation,
    transaction,
    message,
    lastValidBlockHeight,
    builtSlot: slot,
    now: deps.now,
  }
  if (!(await insertUnstack(deps.db, intent, { address: row.address, balance }))) {
    throw new Refusal('position_not_found', `Position ${input.positionId} has just been withdrawn.`)
  }
  return builtOf({ ...intent, createdAt: deps.now })
}

/**
 * Whether an open unstack still has most of its life and would still land: asking again soon gives the same one, so
 * that asking often piles nothing up.
 */
const isFreshUnstack = (intent: Intent, address: string, held: bigint, now: Date): boolean =>
  intent.kind === 'unstack' &&
  intent.legs.some((leg) => leg.address === address && leg.balanceBefore === held) &&
  now.getTime() - intent.createdAt.getTime() < TRANSACTION_LIFETIME_MS / 3
