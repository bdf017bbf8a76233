import type { Job } from '../generated/types.ts'
import type { RequestOf } from '../operations.ts'

/** A job as its hirer orders it. */
export type JobOrder = RequestOf<'POST /jobs'>['body']

/** A job as a side of it read it: all its terms, and their hash. */
export type SeenJob = Pick<
  Job,
  | ('id' | 'owner' | 'hirer' | 'agentId' | 'reference' | 'title' | 'brief' | 'inputHash' | 'price')
  | ('feeBps' | 'judge' | 'acceptMinutes' | 'workMinutes' | 'reviewMinutes' | 'salt' | 'termsHash')
>

/** The orders by flow: what a caller asked for. A verified transaction does this and nothing else. */
type Orders = {
  fund: { hireId: string; amount: bigint; owner?: string | undefined }
  withdraw: { hireId: string; leaveOpen?: boolean | undefined }
  collect: { hireId?: string | undefined }
  openPayoutAccount: Record<never, never>
  openVault: Record<never, never>
  stake: { amount: bigint; lockDays: number }
  unstake: { positionId: number }
  claim: { positionId?: number | undefined }
  closeAccount: { positionId: number }
  buyCredit: { amount: bigint }
  openRefundAccount: Record<never, never>
  /** The job as the user saw it. The client has computed `termsHash`. */
  fundJob: { jobId: string; price: bigint; owner: string; termsHash: string }
  /** `atLeast`: the part of the price that is due, if the user knows it. */
  refundJob: { jobId: string; atLeast?: bigint | undefined }
  /** `feeBps`: the protocol fee of the jobs, if it is not the deployment's. */
  collectJobs: { jobId?: string | undefined; feeBps?: number | undefined }
  closeEscrows: { jobId?: string | undefined }
}

export type Flow = keyof Orders
export type OrderOf<Name extends Flow> = Orders[Name]
export type Order = { [Name in Flow]: { flow: Name } & Orders[Name] }[Flow]

/**
 * The effect and the cost of a verified transaction. Amounts are base units of CRED. Rents and fee are
 * lamports.
 */
export type Summary = {
  flow: Flow
  /** Receives `paid`: the owner whose payout account may collect, the position, or the treasury. */
  payee: string | undefined
  /** Leaves the wallet's token account. */
  paid: bigint
  /** Arrives in a token account of the wallet. */
  received: bigint
  /**
   * The most that may be collected: from a budget account, its former balance and `paid`; from the escrow
   * of a job, its price.
   */
  approved: bigint
  /** Goes from collected charges to the treasury. */
  protocolFee: bigint
  /** The yield that a stake has at its end. */
  yield: bigint
  /** The days until a stake can be withdrawn; 0 in other flows. */
  lockDays: number
  /** The most that new accounts cost. The rent of a token account returns when it is closed. */
  rents: bigint
  /** The network fee. */
  fee: bigint
}
