import { sumOf } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { randomSeed } from '../../solana/programs/seeded-account.ts'
import { firstCheck } from '../../transactions/confirmation/check-schedule.ts'
import {
  MAX_ACCOUNTS_PER_CALL,
  RETRY_SECONDS,
  TRANSACTION_LIFETIME_MS,
} from '../../transactions/relay/limits.ts'
import { recordObservations } from '../breaker/observation-queries.ts'
import type { VaultDeps } from '../deps.ts'
import { buildClaim, largestDue } from '../escrow/claim.ts'
import { choosePayoutAccount, payoutRent } from '../escrow/payout-account.ts'
import { requirePosition } from '../guards.ts'
import { keysOf } from '../keyring.ts'
import { FINALITY_SECONDS } from '../limits.ts'
import type { Intent, PositionRow, RecordedVault } from '../queries.ts'
import { settledVault } from '../read.ts'
import { claimableYield, largestFirst } from '../rules.ts'
import { positionOf } from '../settlement/settlement.ts'
import {
  type BuiltTransaction,
  builtOf,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'
import { isAwaitingSignature, signedAt } from '../transactions/signing.ts'
import { claimMessage, toSign } from '../transactions/wording.ts'
import { ACCOUNTS_BESIDE_POSITIONS, lookUpPositions, type PositionsView } from './look-up.ts'

/** The request: one position, or all without an id, and the signing order. */
type Asked = { positionId?: number | undefined; signing: Signing }

/**
 * Builds and records the transaction that pays accrued yield from one position. Without an id it pays from as
 * many positions as fit: eleven, or eight if the wallet signs first. While a claim for the same request is
 * open, the answer is that claim again. A different request replaces an unsigned claim.
 * @throws ApiError position_not_found, nothing_to_claim, claim_open, dependency_unavailable
 */
export async function claim(deps: VaultDeps, owner: Wallet, asked: Asked): Promise<BuiltTransaction> {
  const found = openClaims(await settledVault(deps, owner), asked, deps.now)
  const { pending, replaced } = found
  const due = dueAsRecorded(found, deps.now)
  if (pending && due.length === 0) return sameOrWait(pending, asked, deps.now)
  const built = await buildAndRecord(deps, owner, asked.signing, { due, replaced })
  if (built) return built
  // Another claim was recorded between the read and the write of this one. Answer as if this one came later.
  const again = openClaims(await settledVault(deps, owner), asked, deps.now)
  if (again.pending) return sameOrWait(again.pending, asked, deps.now)
  throw new ApiError('claim_open', 'Another claim of the position is open. Try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
}

/** The requested positions, and their open claims. */
type Found = {
  rows: PositionRow[]
  /** The first open claim that is the answer, or that the caller has to wait for. */
  pending: Intent | undefined
  /** The ids of unsigned claims that are replaced. */
  replaced: string[]
}

function openClaims({ openIntents, positions }: RecordedVault, asked: Asked, now: Date): Found {
  const { positionId } = asked
  const rows = positionId === undefined ? positions : [requirePosition(positions, positionId)]
  if (rows.length === 0) throw nothingToClaim()
  const open = openIntents.filter(({ id }) => rows.some(({ openClaim }) => openClaim === id))
  const givesWay = (intent: Intent) => isAwaitingSignature(intent) && !isSame(intent, asked, now)
  return {
    rows,
    pending: open.find((intent) => !givesWay(intent)),
    replaced: open.filter(givesWay).map(({ id }) => id),
  }
}

/** Checks whether an open claim answers the same request, and can still be signed and sent unchanged. */
const isSame = (open: Intent, { positionId, signing }: Asked, now: Date): boolean =>
  (positionId === undefined || open.legs.length === 1) &&
  open.signing === signing &&
  open.cosignedAt === null &&
  now.getTime() < open.createdAt.getTime() + TRANSACTION_LIFETIME_MS

/**
 * Returns the open claim if it answers the same request.
 * @throws ApiError claim_open otherwise, until the open claim can't land any more
 */
function sameOrWait(open: Intent, asked: Asked, now: Date): BuiltTransaction {
  if (isSame(open, asked, now)) return builtOf(open)
  const end = signedAt(open).getTime() + TRANSACTION_LIFETIME_MS
  throw new ApiError('claim_open', 'An earlier claim of this position is still open. Try again later.', {
    retryAfterSeconds: Math.max(FINALITY_SECONDS, Math.ceil((end - now.getTime()) / 1000)),
  })
}

/** Returns positions with due yield as recorded and without another open claim, the largest yield first. */
const dueAsRecorded = ({ rows, replaced }: Found, now: Date): PositionRow[] =>
  rows
    .filter(({ openClaim }) => openClaim === null || replaced.includes(openClaim))
    .map((row) => ({ row, amount: claimableYield(positionOf(row, row.escrowed), now) }))
    .filter(({ amount }) => amount > 0n)
    .toSorted(largestFirst)
    .map(({ row }) => row)

/** @returns undefined if a position has changed since it was read */
async function buildAndRecord(
  deps: VaultDeps,
  owner: Wallet,
  signing: Signing,
  { due: asked, replaced }: { due: PositionRow[]; replaced: string[] },
): Promise<BuiltTransaction | undefined> {
  const keyring = await deps.keyring()
  const [first] = asked
  if (!first) throw nothingToClaim()
  // A transaction has one cosigner, so it pays positions of one key version, that with the largest yield.
  const { keyVersion } = first
  const rows = asked
    .filter((row) => row.keyVersion === keyVersion)
    .slice(0, MAX_ACCOUNTS_PER_CALL - ACCOUNTS_BESIDE_POSITIONS)
  const keys = keysOf(keyring, keyVersion)
  const escrow = { owner, mint: keyring.mint, keys }
  const seen = await lookUpPositions(deps, escrow, rows)
  await recordObservations(deps, seen.actionable, seen)
  const { ownerTokens, rents } = seen
  const payout = choosePayoutAccount(ownerTokens, escrow, { seed: randomSeed(), rent: rents.tokenAccount })
  const due = largestDue(dueOnChain(rows, seen, deps.now), payout, signing)
  if (due.length === 0) throw nothingToClaim()
  const id = newIntentId(deps)
  const network = networkOf(deps, seen)
  const built = await buildClaim(keys.signer, { id, escrow, due, payout, signing, network })
  const paid = { amount: sumOf(due.map(({ amount }) => amount)), positions: due.length }
  const costs = { fee: built.fee, rent: payoutRent(ownerTokens, payout, rents.tokenAccount) }
  const message = toSign(claimMessage(paid, asked.length - due.length, costs), signing)
  const intent = intentOf(deps, { id, owner, keyVersion, signing, built, message, seen })
  const { outcome } = await postgres.recordClaim.call(deps.db, {
    ...intent,
    addresses: due.map(({ position }) => position),
    amounts: due.map(({ amount }) => amount),
    balances: due.map(({ balance }) => balance),
    claimedBefore: due.map(({ claimedBefore }) => claimedBefore),
    replaces: replaced,
  })
  if (outcome !== 'recorded') return undefined
  if (signing === 'service_first') deps.schedule('settlement', firstCheck(deps.now))
  return newlyBuilt(intent)
}

/** Returns the positions with due yield, by the balances of their accounts. */
const dueOnChain = (rows: PositionRow[], { positions }: PositionsView, now: Date) =>
  rows.flatMap((row) => {
    const { address, claimed } = row
    const balance = positions.get(address)?.amount
    if (balance === undefined) return []
    const amount = claimableYield(positionOf(row, balance), now)
    return amount > 0n ? [{ position: address, amount, balance, claimedBefore: claimed }] : []
  })

const nothingToClaim = () => new ApiError('nothing_to_claim', 'No yield has accrued since the last claim.')
