import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { type Cred, cred, type Lamports, lamports } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { StackRequest } from '../../schema/wire/vault.ts'
import { Refusal } from '../refusal.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import { vaultAccount } from './addresses.ts'
import {
  type BuiltTransaction,
  builtOf,
  lookUp,
  randomSeed,
  requireEligible,
  requireMint,
} from './building.ts'
import { ownTokenAccount, vaultState } from './chain-state.ts'
import type { VaultDeps } from './deps.ts'
import { buildStack } from './escrow/stack.ts'
import { MAX_OPEN_STACKS, TRANSACTION_LIFETIME_MS } from './limits.ts'
import { insertStack } from './queries.ts'
import { settledVault } from './read.ts'
import { APY_BPS, formatAmount, startOf, type Terms, termYield, unlocksAt } from './rules.ts'

/** What a stack would do, in numbers. `funded`: whether the owner's account holds the amount now. */
export type StackQuote = {
  terms: Terms
  yield: Cred
  unlocksAt: Date
  funded: boolean
  fee: Lamports
  /** Of the position's account; comes back when it is withdrawn. */
  positionRent: Lamports
  /** Of the vault's account, paid once; does not come back. */
  vaultRent: Lamports
}

/**
 * Builds and records the transaction that opens a position. The chain decides whether the owner has the tokens.
 * @throws Refusal wallet_not_eligible, too_many_open_stacks, vault_occupied, yield_reserve_short, mint_not_supported,
 *   dependency_unavailable
 */
export async function stack(
  deps: VaultDeps,
  owner: Wallet,
  input: InferOutput<typeof StackRequest>,
): Promise<BuiltTransaction & { quote: StackQuote }> {
  const keyring = await deps.keyring()
  await requireEligible(owner, keyring)
  if ((await settledVault(deps, owner)).openStacks >= MAX_OPEN_STACKS) throw tooManyOpenStacks()
  const { mint, current } = keyring
  const escrow = { owner, mint, keys: current }
  const { slot, blockhash, accounts, rents } = await lookUp(deps, {
    mint,
    vault: (await vaultAccount(escrow)).address,
    purse: await associatedTokenAddress(owner, mint),
    treasury: await associatedTokenAddress(current.authority, mint),
  })
  requireMint(mint, accounts.mint)
  const terms = {
    amount: cred(input.amount),
    lockDays: input.lockDays,
    apyBps: APY_BPS[input.lockDays],
    stakedAt: startOf(deps.now),
  }
  const reserve = ownTokenAccount(accounts.treasury, { owner: current.authority, mint })?.amount ?? 0n
  if (reserve < termYield(terms)) {
    throw new Refusal('yield_reserve_short', 'The treasury can not fund the yield of this stake now.', {
      retryAfterSeconds: 60,
    })
  }
  const vault = vaultState(accounts.vault, escrow)
  if (vault.kind === 'foreign') {
    throw new Refusal('vault_occupied', 'The address of your vault holds an account with other signers.')
  }
  const id = uuidv7({ msecs: deps.now.getTime() })
  const network = { blockhash: blockhash.blockhash, computeUnitPrice: deps.computeUnitPrice }
  const built = await buildStack(current.signer, {
    id,
    escrow,
    terms,
    positionSeed: randomSeed(),
    vault,
    rents,
    network,
  })
  const purse = ownTokenAccount(accounts.purse, { owner, mint })
  const quote: StackQuote = {
    terms,
    yield: termYield(terms),
    unlocksAt: unlocksAt(terms),
    funded: (purse?.amount ?? 0n) >= terms.amount,
    fee: built.fee,
    positionRent: rents.tokenAccount,
    vaultRent: lamports(
      vault.kind === 'open' || vault.lamports >= rents.multisig ? 0n : rents.multisig - vault.lamports,
    ),
  }
  const message = messageOf(quote)
  const { transaction } = built
  const { lastValidBlockHeight } = blockhash
  const intent = {
    id,
    owner,
    generation: current.generation,
    transaction,
    message,
    lastValidBlockHeight,
    builtSlot: slot,
  }
  const { lockDays, apyBps, stakedAt } = terms
  const recorded = await insertStack(
    deps.db,
    { ...intent, now: deps.now, lockDays, apyBps, stakedAt },
    { address: built.position, principal: terms.amount },
  )
  if (!recorded) throw tooManyOpenStacks()
  return { ...builtOf({ ...intent, createdAt: deps.now }), quote }
}

function messageOf({
  terms,
  yield: total,
  unlocksAt,
  positionRent,
  vaultRent,
  fee,
  funded,
}: StackQuote): string {
  const costs = [
    `${formatSol(fee)} SOL network fee`,
    `${formatSol(positionRent)} SOL rent, returned at withdrawal`,
    ...(vaultRent > 0n ? [`${formatSol(vaultRent)} SOL rent of your vault, once, not returned`] : []),
  ]
  return [
    `Signing locks ${formatAmount(terms.amount)} CRED until ${unlocksAt.toISOString()} and puts the whole yield of ${formatAmount(total)} CRED beside it.`,
    `It costs ${costs.join('; ')}.`,
    ...(funded
      ? []
      : ['Your account does not hold this much CRED now: the network will refuse it until it does.']),
  ].join(' ')
}

/** SOL has as many decimals as CRED. */
const formatSol = (amount: Lamports): string => formatAmount(cred(amount))

const tooManyOpenStacks = () =>
  new Refusal('too_many_open_stacks', `At most ${MAX_OPEN_STACKS} built stacks may be open at once.`, {
    retryAfterSeconds: TRANSACTION_LIFETIME_MS / 1000,
  })
