import { CRED_DECIMALS, type Cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { associatedTokenAddress, createAssociatedIdempotent } from '../../solana/programs/associated-token.ts'
import { createInSteps } from '../../solana/programs/seeded-account.ts'
import { createAccountWithSeed, type SeededAccount } from '../../solana/programs/system.ts'
import {
  type Approval,
  approveChecked,
  closeAccount,
  initializeAccount3,
  initializeMultisig2,
  MULTISIG_BYTES,
  setCloseAuthority,
  TOKEN_ACCOUNT_BYTES,
  transferChecked,
} from '../../solana/programs/token.ts'
import type { Rents } from '../../solana/rents.ts'
import { type Built, forOwnerAlone, type Network, unsigned } from '../../transactions/cosigning/envelope.ts'
import { collectorAccount } from './collector.ts'
import { type JobKeys, REFUND_SIGNERS, type Refund, refundAccount, refundSigners } from './job-accounts.ts'

/** The terms hash's part in a funding's memo, in hex digits. */
const TERMS_DIGITS = 32

/**
 * The most escrows of one collection. One fewer fits if two or more are guarded, and one fewer if the owner's
 * token account is to be created.
 */
export const MAX_JOB_LEGS = 6

/** The most escrows that one transaction closes. */
export const MAX_CLOSED = 10

type Common = { id: string; mint: Address; network: Network }

/** Builds the transaction that makes a hirer's refund account. The hirer signs it alone. */
export async function buildOpenRefundAccount(
  refund: Refund,
  { id, rents, held, network }: { id: string; rents: Rents; held: bigint; network: Network },
): Promise<Built> {
  const { hirer, keys } = refund
  const account = await refundAccount(hirer, keys.keyVersion)
  const text = `AgentCred refund account ${id}: opened under generation ${keys.keyVersion}`
  return forOwnerAlone({ owner: hirer, network, text }, [
    ...createInSteps(account, { bytes: MULTISIG_BYTES, rent: rents.multisig, held }),
    initializeMultisig2(account.address, REFUND_SIGNERS, refundSigners(refund)),
  ])
}

type Funding = Common & {
  jobId: string
  hirer: Address
  owner: Address
  keys: JobKeys
  escrow: SeededAccount
  price: Cred
  termsHash: string
  rents: Rents
}

/**
 * Builds the transaction that makes a job's escrow and pays the price into it. The payout account of the
 * agent's owner may then take the price from it, and the hirer may close it. Both hirer and authority sign.
 */
export async function buildJobFunding(funding: Funding): Promise<Built> {
  const { escrow, hirer, id, jobId, keys, mint, network, owner, price, rents, termsHash } = funding
  const { address } = escrow
  const [source, refund, collector] = await Promise.all([
    associatedTokenAddress(hirer, mint),
    refundAccount(hirer, keys.keyVersion),
    collectorAccount(owner, keys.keyVersion),
  ])
  const byRefund = { owner: refund.address, signers: [hirer, keys.authority] }
  const approval = { account: address, mint, delegate: collector.address, amount: price }
  const text = `AgentCred job ${jobId} ${id}: ${formatAmount(price)} CRED for ${owner}, terms ${termsHash.slice(0, TERMS_DIGITS)}`
  return unsigned({ owner: hirer, network, text }, keys.authority, [
    createAccountWithSeed(escrow, rents.tokenAccount, BigInt(TOKEN_ACCOUNT_BYTES)),
    initializeAccount3(address, mint, refund.address),
    transferChecked(
      { source, mint, destination: address, amount: price, decimals: CRED_DECIMALS },
      { owner: hirer },
    ),
    setCloseAuthority(address, hirer, byRefund),
    approveChecked({ ...approval, decimals: CRED_DECIMALS }, byRefund),
  ])
}

type JobRefund = Common & {
  jobId: string
  hirer: Address
  keys: JobKeys
  escrow: Address
  amount: Cred
  /**
   * The balance that the escrow must have: what it owes to both sides. It is the amount if all is the
   * hirer's, but a gift may stop the closing. Without a guard the escrow is emptied and closed.
   */
  guard: Cred | undefined
  /** A new token account of the hirer, if its associated one can't be paid. */
  fresh: SeededAccount | undefined
  rents: Rents
}

/** Builds the transaction that pays a hirer from an escrow. Both hirer and authority sign. */
export async function buildJobRefund(refund: JobRefund): Promise<Built> {
  const { amount, escrow, fresh, guard, hirer, id, jobId, keys, mint, network, rents } = refund
  const tokens = await associatedTokenAddress(hirer, mint)
  const { address: owner } = await refundAccount(hirer, keys.keyVersion)
  const byRefund = { owner, signers: [hirer, keys.authority] }
  const destination = fresh?.address ?? tokens
  const text = `AgentCred job refund ${id}: ${formatAmount(amount)} CRED of job ${jobId}`
  return unsigned({ owner: hirer, network, text }, keys.authority, [
    ...(fresh
      ? [
          createAccountWithSeed(fresh, rents.tokenAccount, BigInt(TOKEN_ACCOUNT_BYTES)),
          initializeAccount3(fresh.address, mint, hirer),
        ]
      : [createAssociatedIdempotent(tokens, hirer, mint)]),
    ...guardOf({ escrow, mint, guard }, byRefund),
    move({ source: escrow, mint, destination, amount }, byRefund),
    ...(guard === undefined ? [closeAccount(escrow, hirer, { owner: hirer })] : []),
  ])
}

/** The payment from one escrow: `amount`, of which `fee` goes to the treasury. */
export type JobLeg = { escrow: Address; amount: Cred; fee: Cred; guard: Cred | undefined }

type JobCollection = Common & {
  owner: Address
  keys: JobKeys
  treasury: Address
  /** The owner's token account: `open` exists, `absent` has to be created first. */
  ownerTokens: 'open' | 'absent'
  legs: JobLeg[]
}

/**
 * Builds the transaction that pays an agents' owner from escrows, less the protocol fee. Both owner and
 * authority sign.
 * @throws RangeError when it is too large
 */
export async function buildJobCollection(collection: JobCollection): Promise<Built> {
  const { id, keys, legs, mint, network, owner, ownerTokens, treasury } = collection
  const destination = await associatedTokenAddress(owner, mint)
  const { address: collector } = await collectorAccount(owner, keys.keyVersion)
  const byPayout = { owner: collector, signers: [owner, keys.authority] }
  const total = formatAmount(sumOf(legs.map(({ amount }) => amount)))
  const fees = formatAmount(sumOf(legs.map(({ fee }) => fee)))
  const text = `AgentCred job pay ${id}: ${total} CRED, fee ${fees} CRED`
  return unsigned({ owner, network, text }, keys.authority, [
    ...(ownerTokens === 'absent' ? [createAssociatedIdempotent(destination, owner, mint)] : []),
    ...legs.flatMap(({ escrow, amount, fee, guard }) => [
      ...guardOf({ escrow, mint, guard }, byPayout),
      move({ source: escrow, mint, destination, amount: amount - fee }, byPayout),
      ...(fee > 0n ? [move({ source: escrow, mint, destination: treasury, amount: fee }, byPayout)] : []),
    ]),
  ])
}

/**
 * Builds the same of the first of these legs, as many as fit.
 * @returns the transaction, and the number of its legs
 * @throws RangeError if not even one fits
 */
export async function buildFittingJobCollection(
  collection: JobCollection,
): Promise<{ built: Built; count: number }> {
  for (let count = Math.min(collection.legs.length, MAX_JOB_LEGS); ; count--) {
    try {
      return {
        built: await buildJobCollection({ ...collection, legs: collection.legs.slice(0, count) }),
        count,
      }
    } catch (error) {
      if (!(error instanceof RangeError) || count <= 1) throw error
    }
  }
}

/** Builds the transaction that closes empty escrows, which returns their rent. The hirer signs it alone. */
export function buildJobClose({
  id,
  hirer,
  escrows,
  network,
}: {
  id: string
  hirer: Address
  escrows: Address[]
  network: Network
}): Built {
  const text = `AgentCred close ${id}`
  return forOwnerAlone(
    { owner: hirer, network, text },
    escrows.map((escrow) => closeAccount(escrow, hirer, { owner: hirer })),
  )
}

const move = (
  transfer: { source: Address; mint: Address; destination: Address; amount: bigint },
  approval: Approval,
): Instruction => transferChecked({ ...transfer, decimals: CRED_DECIMALS }, approval)

/** Moves a balance from an escrow to itself, which fails if less is there. */
const guardOf = (
  { escrow, mint, guard }: { escrow: Address; mint: Address; guard: Cred | undefined },
  approval: Approval,
): Instruction[] =>
  guard === undefined ? [] : [move({ source: escrow, mint, destination: escrow, amount: guard }, approval)]
