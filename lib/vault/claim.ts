import { sumOf } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { Refusal } from '../refusal.ts'
import { randomSeed } from './addresses.ts'
import { type BuiltTransaction, builtOf, networkOf, newIntentId, recordIntent } from './building.ts'
import { insertClaim } from './claim-queries.ts'
import type { VaultDeps } from './deps.ts'
import { buildClaim, largestDue } from './escrow/claim.ts'
import { choosePayoutAccount, payoutRent } from './escrow/payout-account.ts'
import { requirePosition } from './guards.ts'
import { keysOf } from './keyring.ts'
import { FINALITY_SECONDS, MAX_ACCOUNTS_PER_CALL, RETRY_SECONDS, TRANSACTION_LIFETIME_MS } from './limits.ts'
import { ACCOUNTS_BESIDE_POSITIONS, lookUpPositions, type PositionsView } from './look-up.ts'
import type { Intent, PositionRow, RecordedVault } from './queries.ts'
import { settledVault } from './read.ts'
import { claimableYield, largestFirst } from './rules.ts'
import { positionOf } from './settlement.ts'
import { recordSightings } from './sighting-queries.ts'
import { claimMessage } from './wording.ts'

/**
 * Builds and records the transaction that pays accrued yield out of one position or, without an id, of as
 * many as fit (all, up to eleven). While a claim of the same positions is open, the answer is that one again.
 * @throws Refusal position_not_found, nothing_to_claim, claim_open, dependency_unavailable
 */
export async function claim(
  deps: VaultDeps,
  owner: Wallet,
  { positionId }: { positionId?: number | undefined },
): Promise<BuiltTransaction> {
  const recorded = await settledVault(deps, owner)
  const asked = positionsAsked(recorded, positionId)
  const open = openClaimOn(recorded, asked)
  const due = dueAsRecorded(asked, deps.now)
  if (open && due.length === 0) return sameOrWait(open, asked, positionId, deps.now)
  const built = await buildAndRecord(deps, owner, due)
  if (built) return built
  // Another claim was recorded between this one's reading and writing: answer as if this one had come after
  // it.
  const again = await settledVault(deps, owner)
  const other = openClaimOn(again, positionsAsked(again, positionId))
  if (other) return sameOrWait(other, asked, positionId, deps.now)
  throw new Refusal('claim_open', 'The position is being paid from; please try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
}

function positionsAsked({ positions }: RecordedVault, positionId: number | undefined): PositionRow[] {
  if (positionId !== undefined) return [requirePosition(positions, positionId)]
  if (positions.length === 0) throw nothingToClaim()
  return positions
}

const openClaimOn = ({ openIntents }: RecordedVault, asked: PositionRow[]): Intent | undefined =>
  openIntents.find(({ id }) => asked.some(({ openClaim }) => openClaim === id))

/**
 * The open claim, if it answers the same request; else the caller has to wait until it can't land any more.
 */
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

/** Those without an open claim that yield is due from by what is recorded, most first. */
const dueAsRecorded = (asked: PositionRow[], now: Date): PositionRow[] =>
  asked
    .filter(({ openClaim }) => openClaim === null)
    .map((row) => ({ row, amount: claimableYield(positionOf(row, row.escrowed), now) }))
    .filter(({ amount }) => amount > 0n)
    .toSorted(largestFirst)
    .map(({ row }) => row)

/** @returns undefined when a position was no longer as it had been read */
async function buildAndRecord(
  deps: VaultDeps,
  owner: Wallet,
  asked: PositionRow[],
): Promise<BuiltTransaction | undefined> {
  const keyring = await deps.keyring()
  const [first] = asked
  if (!first) throw nothingToClaim()
  // One transaction carries one cosigner: the positions of one generation, that of the largest due.
  const { generation } = first
  const rows = asked
    .filter((row) => row.generation === generation)
    .slice(0, MAX_ACCOUNTS_PER_CALL - ACCOUNTS_BESIDE_POSITIONS)
  const keys = keysOf(keyring, generation)
  const escrow = { owner, mint: keyring.mint, keys }
  const seen = await lookUpPositions(deps, escrow, rows)
  await recordSightings(deps.db, seen.remarkable, seen.slot, deps.now)
  const { ownerTokens, rents } = seen
  const payout = choosePayoutAccount(ownerTokens, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const due = largestDue(dueOnChain(rows, seen, deps.now), payout)
  if (due.length === 0) throw nothingToClaim()
  const id = newIntentId(deps)
  const built = await buildClaim(keys.signer, { id, escrow, due, payout, network: networkOf(deps, seen) })
  const message = claimMessage(
    { amount: sumOf(due.map(({ amount }) => amount)), positions: due.length },
    asked.length - due.length,
    { fee: built.fee, rent: payoutRent(ownerTokens, payout, rents.tokenAccount) },
  )
  return recordIntent(deps, { id, owner, generation, built, message, seen }, (intent) =>
    insertClaim(
      deps.db,
      intent,
      due.map(({ position, ...leg }) => ({ address: position, ...leg })),
    ),
  )
}

/** The positions that yield is due from by what their accounts hold. */
const dueOnChain = (rows: PositionRow[], { positions }: PositionsView, now: Date) =>
  rows.flatMap((row) => {
    const { address, claimed } = row
    const balance = positions.get(address)?.amount
    if (balance === undefined) return []
    const amount = claimableYield(positionOf(row, balance), now)
    return amount > 0n ? [{ position: address, amount, balance, claimedBefore: claimed }] : []
  })

const nothingToClaim = () =>
  new Refusal('nothing_to_claim', 'No yield has accrued beyond what was already claimed.')
