import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import type { JobPaymentKind } from '../../schema/values.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { newWallet } from './stored-agents.ts'

/* Transactions of jobs as Postgres records them, without a chain: their outcomes are the test's. */

/** A leg of a transaction: the escrow of a job, and what the transaction moves. */
export type JobLeg = {
  jobId: string
  address: Address
  amount: bigint
  fee?: bigint
  /** The balance that the escrow must have; absent if nothing is due to the other side. */
  guard?: bigint
}

type Build = { kind: JobPaymentKind | 'close_escrows'; wallet: Wallet; legs: JobLeg[]; now: Date }

/** Makes the address of a new escrow. */
export const newEscrow = (): Address => newWallet() as string as Address

/** Builds a transaction of jobs. */
export async function buildOfJobs(
  db: Db,
  { kind, wallet, legs, now, input }: Build & { input?: string },
): Promise<{ id: string; outcome: string }> {
  const id = crypto.randomUUID()
  const { outcome } = await postgres.recordJobIntent.call(db, {
    ...{ id, wallet, kind, input, now },
    ...{ keyVersion: 1, transaction: id, message: 'm', lastValidBlockHeight: 100n, builtSlot: 1n },
    jobs: legs.map(({ jobId }) => jobId),
    addresses: legs.map(({ address }) => address),
    seeds: legs.map(({ address }) => (kind === 'fund_job' ? `seed of ${address}` : '')),
    amounts: legs.map(({ amount }) => amount),
    fees: legs.map(({ fee = 0n }) => fee),
    guards: legs.map(({ guard = 0n }) => guard),
  })
  return { id, outcome }
}

/** Records the message of a transaction that its wallet has signed. */
export const cosign = (db: Db, { id, wallet, now }: { id: string; wallet: Wallet; now: Date }) =>
  postgres.cosignPayment.call(db, {
    ...{ id, wallet, transaction: id, message: 'm', networkSignature: `signature of ${id}`, now },
    ...{ lastValidBlockHeight: 150n, builtAfter: deadlinePassed(now) },
  })

/** Records outcomes of signed transactions, in one call. */
export const settleAll = (db: Db, outcomes: { id: string; outcome: string }[], now: Date) =>
  postgres.settlePayments.call(db, {
    ids: outcomes.map(({ id }) => id),
    networkSignatures: outcomes.map(({ id }) => `signature of ${id}`),
    lastValidBlockHeights: outcomes.map(() => 150n),
    outcomes: outcomes.map(({ outcome }) => outcome),
    feeStep: 1_000_000_000n,
    now,
  })

/** Builds and signs a transaction of jobs. @throws Error if either is refused */
export async function signedOfJobs(db: Db, build: Build & { input?: string }): Promise<string> {
  const { id, outcome } = await buildOfJobs(db, build)
  if (outcome !== 'recorded') throw new Error(`the build was refused: ${outcome}`)
  const signed = await cosign(db, { id, ...build })
  if (signed.outcome !== 'recorded') throw new Error(`the signature was refused: ${signed.outcome}`)
  return id
}
