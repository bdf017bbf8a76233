import type { InferOutput } from 'valibot'
import { cred, type Lamports } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { StackRequest } from '../../../schema/wire/vault.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { builtTooOften } from '../../quotas/errors.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { randomSeed } from '../../solana/programs/seeded-account.ts'
import { recordThenSchedule } from '../../transactions/relay/schedule.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'
import type { VaultDeps } from '../deps.ts'
import { buildOpening, buildStack } from '../escrow/stack.ts'
import {
  requireEligible,
  requireFewOpenStacks,
  requireMint,
  requirePositionQuota,
  requireReserve,
  requireVault,
} from '../guards.ts'
import { leaseEnd } from '../lease-queries.ts'
import { positionsAfter } from '../limits.ts'
import { settledVault } from '../read.ts'
import { APY_BPS, startOf, type Terms } from '../rules.ts'
import {
  type BuiltTransaction,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'
import { openingMessage, stackMessage, toSign } from '../transactions/wording.ts'
import { requireAdmission, requireLeast, requireStacking, yieldDayOf } from './admission.ts'
import { admitAfterSettling } from './admit-after-settling.ts'
import { quoteOf, type StackQuote } from './quote.ts'

type StackInput = InferOutput<typeof StackRequest>

/** The built transaction: the stack, or the opening of the vault that it needs first. */
type StackAnswer = BuiltTransaction & { step: 'stack' | 'open_vault'; quote: StackQuote }

/**
 * Builds and records the transaction that opens a position. While the owner's account does not hold the
 * amount, the transaction is wallet_first, also if service_first was requested. It then reserves no yield,
 * since otherwise an empty wallet could reserve any amount for free. A first wallet_first stack is answered
 * with the opening of the vault.
 * @param address the client address that it counts against while the owner does not hold the amount
 * @throws ApiError invalid_request, wallet_not_eligible, stacking_paused, too_many_open_stacks,
 *   quota_exceeded, yield_limit, yield_settling, rate_limited, vault_occupied, yield_reserve_short,
 *   mint_not_supported, dependency_unavailable
 */
export async function stack(
  deps: VaultDeps,
  owner: Wallet,
  input: StackInput,
  address: string,
): Promise<StackAnswer> {
  requireLeast(input.amount, deps.minStake)
  const keyring = await deps.keyring()
  const { mint, current } = keyring
  const { keyVersion } = current
  await requireEligible(owner, keyring)
  const { positions, openStacks, pausedKeyVersions } = await settledVault(deps, owner)
  requireStacking(deps.isStackingOn, pausedKeyVersions, keyVersion)
  requireFewOpenStacks(openStacks)
  requirePositionQuota(positions.length, openStacks)
  const escrow = { owner, mint, keys: current }
  const { accounts, ...seen } = await lookUp(deps, await stackAddresses(escrow))
  requireMint(mint, accounts.mint)
  const terms = newTerms(input, deps.now)
  requireReserve(accounts.treasury, escrow, terms)
  const vault = requireVault(accounts.vault, escrow)
  const isFunded = (ownTokenAccount(accounts.ownerTokens, escrow)?.amount ?? 0n) >= terms.amount
  const { rents } = seen
  const parts = { id: newIntentId(deps), escrow, rents, vault, network: networkOf(deps, seen) }
  const common = { id: parts.id, owner, keyVersion, seen }
  const counted = isFunded ? {} : { addressHash: await addressHash('empty builds', address) }
  const quoted = (fee: Lamports) => quoteOf(terms, fee, { isFunded, vault, rents })
  if (input.signing === 'wallet_first' && vault.kind === 'absent') {
    const { vault: opened, ...built } = await buildOpening(parts)
    const quote = quoted(built.fee)
    const message = openingMessage(quote)
    const intent = intentOf(deps, { ...common, signing: 'wallet_first', built, message })
    await record(deps, { ...intent, ...counted, kind: 'open_vault', address: opened, principal: cred(0n) })
    return { ...newlyBuilt(intent), step: 'open_vault', quote }
  }
  const signing = isFunded ? input.signing : 'wallet_first'
  const positionSeed = randomSeed()
  const { position, ...built } = await buildStack(current.signer, { ...parts, terms, positionSeed, signing })
  const quote = quoted(built.fee)
  const message = isFunded ? toSign(stackMessage(quote), signing) : stackMessage(quote)
  const intent = intentOf(deps, { ...common, signing, built, message })
  const { amount: principal, ...termsOfStack } = terms
  const stacked = { ...termsOfStack, yield: quote.yield, address: position, principal }
  await record(deps, { ...intent, ...stacked, ...counted, kind: 'stack' })
  return { ...newlyBuilt(intent), step: 'stack', quote }
}

type NewStack = Omit<
  Parameters<typeof postgres.recordStack.call>[1],
  'yieldDay' | 'perWallet' | 'perDay' | 'leaseEnd' | 'buildsPerAddress'
>

async function record(deps: VaultDeps, stacked: NewStack): Promise<void> {
  const { db, now, limits, schedule, emptyBuildsPerAddress: buildsPerAddress } = deps
  const counted = { ...limits, buildsPerAddress, yieldDay: yieldDayOf(now), leaseEnd: leaseEnd(now) }
  const build = () => postgres.recordStack.call(db, { ...stacked, ...counted })
  const isSigned = stacked.signing === 'service_first'
  const { outcome, capacity } = await admitAfterSettling(
    deps,
    isSigned ? () => recordThenSchedule(deps, build) : build,
  )
  if (outcome === 'too_many_builds') throw builtTooOften(buildsPerAddress, now)
  requireAdmission({ outcome, capacity }, now)
  if (isSigned) schedule('positions', positionsAfter(now))
}

const stackAddresses = async (escrow: Escrow) => ({
  mint: escrow.mint,
  vault: (await vaultAccount(escrow)).address,
  ownerTokens: await associatedTokenAddress(escrow.owner, escrow.mint),
  treasury: await associatedTokenAddress(escrow.keys.authority, escrow.mint),
})

const newTerms = ({ amount, lockDays }: StackInput, now: Date): Terms => ({
  amount: cred(amount),
  lockDays,
  apyBps: APY_BPS[lockDays],
  stakedAt: startOf(now),
})
