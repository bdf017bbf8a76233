import type { Job } from '../../../client/generated/types.ts'
import { afterFee } from '../jobs/words.ts'

/** What a job pays its agent, the fee in it, and whether the agent's owner has it, in a word. */
export function jobPayment(job: Job): { amount: bigint; fee: bigint; tone: 'good' | 'warn'; words: string } {
  const { agentAmount: amount = 0n, fee = amount - afterFee(amount, job), paidAt } = job
  return { amount, fee, ...(paidAt ? { tone: 'good', words: 'paid' } : { tone: 'warn', words: 'in escrow' }) }
}
