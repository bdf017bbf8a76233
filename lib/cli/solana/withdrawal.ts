import { setTimeout as sleep } from 'node:timers/promises'
import { type Cred, cred, formatAmount, type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Address } from '../../solana/address.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { randomSeed, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import { choosePayoutAccount } from '../../vault/escrow/payout-account.ts'
import type { Cluster } from './cluster.ts'
import { land } from './confirmation.ts'
import { type Holder, heldAccount } from './held-accounts.ts'

/** The owner, who signs, pays and receives, and the multisig that holds its tokens. */
export type Leaver = { holder: Holder; owner: Signer; computeUnitPrice: bigint }

/** The amount paid out, its destination, and the rent that was returned. */
export type Withdrawal = { amount: Cred; rent: Lamports; destination: Address; signature: string }

/** The most attempts. A donation or an expiry needs another transaction; more failures have another cause. */
const MAX_ATTEMPTS = 3
const RETRY_MS = 1_000

/**
 * Withdraws all of a held account, closes it if that is possible, and waits for the confirmation.
 * @returns undefined if the holder does not own the account any more
 * @throws Error with the network's reason; nothing was moved then
 */
export async function withdraw(
  cluster: Cluster,
  leaver: Leaver,
  address: Address,
): Promise<Withdrawal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const built = await build(cluster, leaver, address)
    if (!built) return undefined
    const { transaction, lastValidBlockHeight, ...withdrawal } = built
    const confirmation = await land(cluster, transaction, lastValidBlockHeight)
    if (confirmation.kind === 'landed') return { ...withdrawal, signature: confirmation.signature }
    if (attempt === MAX_ATTEMPTS) throw new Error(confirmation.reason)
    await sleep(RETRY_MS)
  }
}

/** Builds the transaction for the present state of the chain, signed by both. */
async function build({ rpc }: Cluster, leaver: Leaver, address: Address) {
  const { computeUnitPrice, holder, owner } = leaver
  const { mint } = holder
  const tokenAccount = await associatedTokenAddress(holder.owner, mint)
  const { accounts, blockhash, rents } = await lookUp(
    { rpc },
    { held: address, tokenAccount, wallet: holder.owner },
  )
  const held = heldAccount(address, accounts.held, holder)
  if (!held) return undefined
  if (held.obstacle) throw new Error(held.obstacle)
  const seed = randomSeed()
  const payout = choosePayoutAccount(accounts.tokenAccount, holder, { seed, rent: rents.tokenAccount })
  const fresh = payout.kind === 'fresh' ? await seededTokenAccount(holder.owner, seed) : undefined
  const amount = cred(held.amount)
  const network = { blockhash: blockhash.blockhash, computeUnitPrice }
  const { transaction, fee } = await holder.build({ held, amount, fresh, rents, network })
  const isNew = payout.kind === 'fresh' || !accounts.tokenAccount
  requireFunds(accounts.wallet?.lamports ?? 0n, lamports(fee + (isNew ? rents.tokenAccount : 0n)))
  return {
    transaction: await signAsOwner(transaction, owner),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    amount,
    rent: lamports(held.isClosable ? (accounts.held?.lamports ?? 0n) : 0n),
    destination: fresh?.address ?? tokenAccount,
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
