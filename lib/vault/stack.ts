import type { InferOutput } from 'valibot'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { StackRequest } from '../../schema/wire/vault.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import { type Escrow, randomSeed, vaultAccount } from './addresses.ts'
import { requireAdmission, requireStacking, yieldDayOf } from './admission.ts'
import { type BuiltTransaction, builtOf, intentOf, networkOf, newIntentId } from './building.ts'
import { ownTokenAccount } from './chain-state.ts'
import type { VaultDeps } from './deps.ts'
import { buildStack } from './escrow/stack.ts'
import {
  requireEligible,
  requireFewOpenStacks,
  requireMint,
  requirePlace,
  requireReserve,
  requireVault,
} from './guards.ts'
import { lookUp } from './look-up.ts'
import { quoteOf, type StackQuote } from './quote.ts'
import { settledVault } from './read.ts'
import { APY_BPS, startOf, type Terms } from './rules.ts'
import { insertStack, keepUnsigned } from './stack-queries.ts'
import { stackMessage } from './wording.ts'

type StackInput = InferOutput<typeof StackRequest>

/**
 * Builds and records the transaction that opens a position. The chain decides whether the owner has the
 * tokens; while the account is seen to be short, the transaction comes without the authority's signature,
 * and holds nothing: a stack of any size would otherwise cost an empty wallet nothing.
 * @throws Refusal wallet_not_eligible, stacking_paused, too_many_open_stacks, quota_exceeded, yield_limit,
 *   vault_occupied, yield_reserve_short, mint_not_supported, dependency_unavailable
 */
export async function stack(
  deps: VaultDeps,
  owner: Wallet,
  input: StackInput,
): Promise<BuiltTransaction & { quote: StackQuote }> {
  const keyring = await deps.keyring()
  const { mint, current } = keyring
  const { generation } = current
  await requireEligible(owner, keyring)
  const { positions, openStacks, pausedGenerations } = await settledVault(deps, owner)
  requireStacking(deps.isStackingOn, pausedGenerations, generation)
  requireFewOpenStacks(openStacks)
  requirePlace(positions.length, openStacks)
  const escrow = { owner, mint, keys: current }
  const { accounts, ...seen } = await lookUp(deps, await stackAddresses(escrow))
  requireMint(mint, accounts.mint)
  const terms = newTerms(input, deps.now)
  requireReserve(accounts.treasury, escrow, terms)
  const vault = requireVault(accounts.vault, escrow)
  const isFunded = (ownTokenAccount(accounts.ownerTokens, escrow)?.amount ?? 0n) >= terms.amount
  const id = newIntentId(deps)
  const { position, ...built } = await buildStack(current.signer, {
    id,
    escrow,
    terms,
    positionSeed: randomSeed(),
    vault,
    rents: seen.rents,
    network: networkOf(deps, seen),
    isFunded,
  })
  const quote = quoteOf(terms, built.fee, { isFunded, vault, rents: seen.rents })
  const message = stackMessage(quote)
  const intent = intentOf(deps, { id, owner, generation, built, message, seen })
  const answer = { ...builtOf({ ...intent, createdAt: deps.now }), quote }
  if (isFunded) {
    const counted = { yield: quote.yield, yieldDay: yieldDayOf(deps.now) }
    const leg = { address: position, principal: terms.amount }
    requireAdmission(
      await insertStack(deps.db, { ...intent, ...terms, ...counted }, leg, deps.limits),
      deps.now,
    )
  } else await keepUnsigned(deps.db, { ...intent, createdAt: deps.now })
  return answer
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
