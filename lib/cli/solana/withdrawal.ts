import { setTimeout as sleep } from 'node:timers/promises'
import { type Cred, cred, formatAmount, type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Address } from '../../solana/address.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { randomSeed, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import { type Escrow, vaultAccount } from '../../vault/addresses.ts'
import { choosePayoutAccount } from '../../vault/escrow/payout-account.ts'
import { buildUnstack } from '../../vault/escrow/unstack.ts'
import type { Cluster } from './cluster.ts'
import { land } from './confirmation.ts'
import { heldAccount } from './positions.ts'

/**
 * The signers of a withdrawal. The owner pays and receives; the recovery key signs instead of the service.
 */
export type Leaver = { escrow: Escrow; owner: Signer; recovery: Signer; computeUnitPrice: bigint }

/** The amount paid out, its destination, and the rent that was returned. */
export type Withdrawal = { amount: Cred; rent: Lamports; destination: Address; signature: string }

/** The most attempts. A donation or an expiry needs another transaction; more failures have another cause. */
const MAX_ATTEMPTS = 3
const RETRY_MS = 1_000

/**
 * Withdraws a whole position, locked or not, closes it, and waits for the confirmation.
 * @returns undefined if the vault does not own the position any more
 * @throws Error with the network's reason; nothing was moved then
 */
export async function withdraw(
  cluster: Cluster,
  leaver: Leaver,
  position: Address,
): Promise<Withdrawal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const built = await build(cluster, leaver, position)
    if (!built) return undefined
    const { transaction, lastValidBlockHeight, ...withdrawal } = built
    const confirmation = await land(cluster, transaction, lastValidBlockHeight)
    if (confirmation.kind === 'landed') return { ...withdrawal, signature: confirmation.signature }
    if (attempt === MAX_ATTEMPTS) throw new Error(confirmation.reason)
    await sleep(RETRY_MS)
  }
}

/** Builds the transaction for the present state of the chain, signed by both. */
async function build({ rpc }: Cluster, leaver: Leaver, position: Address) {
  const { computeUnitPrice, escrow, owner, recovery } = leaver
  const { mint } = escrow
  const { address: vault } = await vaultAccount(escrow)
  const tokenAccount = await associatedTokenAddress(escrow.owner, mint)
  const { accounts, blockhash, rents } = await lookUp(
    { rpc },
    { position, tokenAccount, wallet: escrow.owner },
  )
  const held = heldAccount(position, accounts.position, { mint, vault })
  if (!held) return undefined
  if (held.obstacle) throw new Error(held.obstacle)
  const seed = randomSeed()
  const payout = choosePayoutAccount(accounts.tokenAccount, escrow, { seed, rent: rents.tokenAccount })
  const amount = cred(held.amount)
  const { transaction, fee } = await buildUnstack(recovery, {
    id: 'by owner and recovery key',
    escrow,
    position,
    balance: amount,
    payout,
    network: { blockhash: blockhash.blockhash, computeUnitPrice },
  })
  const isNew = payout.kind === 'fresh' || !accounts.tokenAccount
  requireFunds(accounts.wallet?.lamports ?? 0n, lamports(fee + (isNew ? rents.tokenAccount : 0n)))
  return {
    transaction: await signAsOwner(transaction, owner),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    amount,
    rent: lamports(accounts.position?.lamports ?? 0n),
    destination:
      payout.kind === 'associated' ? tokenAccount : (await seededTokenAccount(escrow.owner, seed)).address,
  }
}

function requireFunds(balance: bigint, needed: Lamports) {
  if (balance >= needed) return
  const [has, needs] = [balance, needed].map((amount) => formatAmount(lamports(amount)))
  throw new Error(`the owner's wallet has ${has} SOL but needs ${needs} SOL for fee and rent`)
}

/** Adds the owner's signature at the first position, which the builder leaves empty. */
async function signAsOwner(built: string, owner: Signer): Promise<string> {
  const unsigned = decodeTransaction(built)
  if (!unsigned) throw new TypeError('the built transaction does not decode')
  const { message, signatures } = unsigned
  return encodeTransaction({ message, signatures: [await owner.sign(message), ...signatures.slice(1)] })
}
