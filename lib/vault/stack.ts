import type { InferOutput } from 'valibot'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { StackRequest } from '../../schema/wire/vault.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import { type Escrow, randomSeed, vaultAccount } from './addresses.ts'
import { type BuiltTransaction, networkOf, newIntentId, recordIntent } from './building.ts'
import type { VaultDeps } from './deps.ts'
import { buildStack } from './escrow/stack.ts'
import {
  requireEligible,
  requireFewOpenStacks,
  requireMint,
  requireReserve,
  requireVault,
  tooManyOpenStacks,
} from './guards.ts'
import { insertStack } from './intent-queries.ts'
import { lookUp } from './look-up.ts'
import { quoteOf, type StackQuote } from './quote.ts'
import { settledVault } from './read.ts'
import { APY_BPS, startOf, type Terms } from './rules.ts'
import { stackMessage } from './wording.ts'

type StackInput = InferOutput<typeof StackRequest>

/**
 * Builds and records the transaction that opens a position. The chain decides whether the owner has the
 * tokens.
 * @throws Refusal wallet_not_eligible, too_many_open_stacks, vault_occupied, yield_reserve_short,
 *   mint_not_supported, dependency_unavailable
 */
export async function stack(
  deps: VaultDeps,
  owner: Wallet,
  input: StackInput,
): Promise<BuiltTransaction & { quote: StackQuote }> {
  const keyring = await deps.keyring()
  await requireEligible(owner, keyring)
  requireFewOpenStacks((await settledVault(deps, owner)).openStacks)
  const { mint, current } = keyring
  const escrow = { owner, mint, keys: current }
  const { accounts, ...seen } = await lookUp(deps, await stackAddresses(escrow))
  requireMint(mint, accounts.mint)
  const terms = newTerms(input, deps.now)
  requireReserve(accounts.treasury, escrow, terms)
  const vault = requireVault(accounts.vault, escrow)
  const id = newIntentId(deps)
  const { position, ...built } = await buildStack(current.signer, {
    id,
    escrow,
    terms,
    positionSeed: randomSeed(),
    vault,
    rents: seen.rents,
    network: networkOf(deps, seen),
  })
  const { ownerTokens } = accounts
  const quote = quoteOf(terms, built.fee, { escrow, ownerTokens, vault, rents: seen.rents })
  const { generation } = current
  const recorded = await recordIntent(
    deps,
    { id, owner, generation, built, message: stackMessage(quote), seen },
    (intent) => insertStack(deps.db, { ...intent, ...terms }, { address: position, principal: terms.amount }),
  )
  if (!recorded) throw tooManyOpenStacks()
  return { ...recorded, quote }
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
