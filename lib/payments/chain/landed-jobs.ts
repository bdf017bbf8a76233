import { type Cred, cred } from '../../../schema/amounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import type { Message } from '../../solana/message.ts'
import { memoSignedBy } from '../../solana/programs/memo.ts'
import { seedIn } from '../../solana/programs/system.ts'
import { accountsMadeIn, transfersIn } from '../../solana/programs/token.ts'
import type { PaymentSettings } from '../keys.ts'
import type { PaymentKeys } from './collector.ts'
import { refundAccount } from './job-accounts.ts'

/**
 * The payment of an escrow by a landed transaction of jobs. Nothing is left for the other side unless the
 * guard is above the amount.
 */
export type LandedLeg = { escrow: Address; amount: Cred; fee: Cred; guard: Cred | undefined }

/** Every landed transaction of jobs: its intent, the wallet that paid for it, its key version. */
type Landed = { id: string; wallet: Wallet; keys: PaymentKeys; memo: string; legs: LandedLeg[] }

/** The effect of a landed transaction of jobs that the authority has signed. */
export type LandedOfJobs =
  | (Landed & { kind: 'fund_job'; jobId: string; owner: Wallet; termsHash: string; seed: string })
  | (Landed & { kind: 'refund_job'; jobId: string })
  | (Landed & { kind: 'collect_jobs' })

const UUID = '([0-9a-f-]{36})'
const FUNDING = new RegExp(`^AgentCred job ${UUID} ${UUID}: \\S+ CRED for (\\S+), terms ([0-9a-f]+)$`)
const REFUND = new RegExp(`^AgentCred job refund ${UUID}: \\S+ CRED of job ${UUID}$`)
const PAYMENT = new RegExp(`^AgentCred job pay ${UUID}: `)

/**
 * Reads the effect of a landed message of jobs. Its memo counts only with the authority's signature; any
 * other transaction gives undefined. Refund accounts and closed escrows need no record: reads of the chain
 * show them.
 * @param treasuries the token accounts that take or took the protocol fee
 */
export async function landedOfJobs(
  message: Message,
  { mint, keyVersions }: Pick<PaymentSettings, 'mint' | 'keyVersions'>,
  treasuries: ReadonlySet<Address>,
): Promise<LandedOfJobs | undefined> {
  const wallet = message.accounts[0]?.address as Wallet
  for (const keys of keyVersions) {
    const memo = memoSignedBy(message, keys.authority)
    if (memo === undefined) continue
    const landed = { wallet, keys, memo }
    const [, funded, funding, owner, termsHash] = FUNDING.exec(memo) ?? []
    if (funded && funding && owner && termsHash) {
      const { address: refunds } = await refundAccount(wallet, keys.keyVersion)
      const made = accountsMadeIn(message.instructions)
      const paid = transfersIn(message.instructions, mint).find(
        ({ destination }) => made.get(destination) === refunds,
      )
      const seeds = new Map(message.instructions.map(seedIn).filter((one) => one !== undefined))
      const seed = paid && seeds.get(paid.destination)
      if (!paid || seed === undefined) return undefined
      const leg = {
        ...{ escrow: paid.destination, amount: cred(paid.amount), fee: cred(0n) },
        guard: undefined,
      }
      const job = { jobId: funded, owner: owner as Wallet, termsHash }
      return { ...landed, ...job, kind: 'fund_job', id: funding, seed, legs: [leg] }
    }

    const [, refund, refunded] = REFUND.exec(memo) ?? []
    if (refund && refunded)
      return { ...landed, kind: 'refund_job', id: refund, jobId: refunded, legs: legsOf(message) }

    const [, payment] = PAYMENT.exec(memo) ?? []
    if (payment) return { ...landed, kind: 'collect_jobs', id: payment, legs: legsOf(message) }
  }
  return undefined

  function legsOf({ instructions }: Message): LandedLeg[] {
    return [...Map.groupBy(transfersIn(instructions, mint), ({ source }) => source)].map(
      ([escrow, transfers]) => {
        const guard = transfers.find(({ destination }) => destination === escrow)
        const moved = transfers.filter(({ destination }) => destination !== escrow)
        const fees = moved.filter(({ destination }) => treasuries.has(destination))
        return { escrow, amount: sum(moved), fee: sum(fees), guard: guard && cred(guard.amount) }
      },
    )
  }
}

const sum = (transfers: { amount: bigint }[]): Cred =>
  cred(transfers.reduce((total, { amount }) => total + amount, 0n))
