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
import { buildClaim, largestDue } from './escrow/claim.ts'
import { choosePayoutAccount } from './escrow/payout-account.ts'
import { FINALITY_SECONDS, MAX_ACCOUNTS_PER_CALL, TRANSACTION_LIFETIME_MS } from './limits.ts'
import { type Intent, insertClaim, type PositionRow, type RecordedVault } from './queries.ts'
import { settledVault } from './read.ts'
import { claimableYield, formatAmount } from './rules.ts'
import { positionOf } from './settlement.ts'

/**
 * Builds and records the transaction that pays accrued yield out of one position or, without an id, of as many as fit
 * (all, up to eleven). While a claim of the same positions is open, the answer is that one again.
 * @throws Refusal position_not_found, nothing_to_claim, claim_open, position_not_intact, dependency_unavailable
 */
export async function claim(
  deps: VaultDeps,
  owner: Wallet,
  input: { positionId?: number | undefined },
): Promise<BuiltTransaction> {
  const recorded = await settledVault(deps, owner)
  const asked = positionsAsked(recorded, input.positionId)
  const open = openClaimOn(recorded, asked)
  const due = dueOf(asked, deps.now)
  if (open && due.length === 0) return sameOrWait(open, asked, input.positionId, deps.now)
  const built = await buildAndRecord(deps, owner, due)
  if (built) return built
  // Someone else's claim of ours was recorded between our reading and our writing: answer as if we had come after it.
  const again = await settledVault(deps, owner)
  const other = openClaimOn(again, positionsAsked(again, input.positionId))
  if (other) return sameOrWait(other, asked, input.positionId, deps.now)
  throw new Refusal('claim_open', 'The position is being paid from; please try again.', {
    retryAfterSeconds: 2,
  })
}

function positionsAsked({ positions }: RecordedVault, positionId: number | undefined): PositionRow[] {
  if (positionId !== undefined) {
    const position = positions.find(({ id }) => id === positionId)
    if (!position) throw new Refusal('position_not_found', `You have no open position ${positionId}.`)
    return [position]
  }
  if (positions.length === 0) throw nothingToClaim()
  return positions
}

const openClaimOn = ({ openIntents }: RecordedVault, asked: PositionRow[]): Intent | undefined =>
  openIntents.find(({ id }) => asked.some(({ openClaim }) => openClaim === id))

/** The open claim, if it answers the same request; else the caller has to wait until it can't land any more. */
function sameOrWait(
  open: Intent,
  asked: PositionRow[],
  positionId: number | undefined,
  now: Date,
): BuiltTransaction {
  const covers = open.legs.length === 1 && open.legs[0]?.address === asked[0]?.address
  const end = open.createdAt.getTime() + TRANSACTION_LIFETIME_MS
  if ((positionId === undefined || covers) && now.getTime() < end) return builtOf(open)
  throw new Refusal('claim_open', 'An earlier claim of this position is not settled yet.', {
    retryAfterSeconds: Math.max(FINALITY_SECONDS, Math.ceil((end - now.getTime()) / 1000)),
  })
}

/** Those without an open claim that yield is due from, as far as recorded, most first. */
const dueOf = (asked: PositionRow[], now: Date): PositionRow[] =>
  asked
    .filter(({ openClaim }) => openClaim === null)
    .map((row) => ({ row, amount: claimableYield(positionOf(row, row.escrowed), now) }))
    .filter(({ amount }) => amount > 0n)
    .toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount))
    .map(({ row }) => row)

/** @returns undefined when a position was no longer as it had been read */
async function buildAndRecord(
  deps: VaultDeps,
  owner: Wallet,
  asked: PositionRow[],
): Promise<BuiltTransaction | undefined> {
  const keyring = await deps.keyring()
  // One transaction carries one cosigner: the positions of one generation, that of the largest due.
  const [first] = asked
  if (!first) throw nothingToClaim()
  const { generation } = first
  // The vault, the purse and the Rent sysvar are asked for beside them.
  const rows = asked.filter((row) => row.generation === generation).slice(0, MAX_ACCOUNTS_PER_CALL - 3)
  const keys = signerOf(keyring, generation)
  const escrow = { owner, mint: keyring.mint, keys }
  const { slot, blockhash, purse, positions, rents } = await positionAccounts(deps, escrow, rows)
  const payout = choosePayoutAccount(purse, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const due = rows.flatMap((row) => {
    const balance = positions.get(row.address)?.amount
    if (balance === undefined) return []
    const amount = claimableYield(positionOf(row, balance), deps.now)
    return amount > 0n ? [{ row, balance, position: parseAddress(row.address), amount }] : []
  })
  const paid = largestDue(due, payout)
  if (paid.length === 0) throw nothingToClaim()
  const id = uuidv7({ msecs: deps.now.getTime() })
  const network = { blockhash: blockhash.blockhash, computeUnitPrice: deps.computeUnitPrice }
  const { transaction, fee } = await buildClaim(keys.signer, { id, escrow, due: paid, payout, network })
  const total = cred(paid.reduce<bigint>((sum, { amount }) => sum + amount, 0n))
  const rest = asked.length - paid.length
  const message = [
    `Signing pays ${formatAmount(total)} CRED of yield from ${paid.length === 1 ? 'one position' : `${paid.length} positions`} into your account.`,
    `It costs ${costsOf(fee, payoutRentOf(purse, payout, rents))}.`,
    ...(rest > 0 ? [`${rest} more can be claimed afterwards.`] : []),
  ].join(' ')
  const { lastValidBlockHeight } = blockhash
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
  const legs = due
    .filter(({ position }) => paid.some((one) => one.position === position))
    .map(({ row, balance, amount }) => ({
      address: row.address,
      amount,
      balance,
      claimedBefore: row.claimed,
    }))
  if (!(await insertClaim(deps.db, intent, legs))) return undefined
  return builtOf({ ...intent, createdAt: deps.now })
}

const nothingToClaim = () =>
  new Refusal('nothing_to_claim', 'No yield has accrued beyond what was already claimed.')
