import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { feePayer, keyOf, NETWORK } from './x402.ts'

/* The published facilitator on a network where every simulation succeeds: its word on a payment's form. */

const unused = async (): Promise<never> => {
  throw new Error('not asked in a verification')
}
const facilitator = new x402Facilitator().register(
  NETWORK,
  new ExactSvmScheme({
    getAddresses: () => [keyOf(feePayer)] as never,
    simulateTransaction: async () => undefined,
    signTransaction: unused,
    sendTransaction: unused,
    confirmTransaction: unused,
  }),
)

/** Returns why the reference rejects a payment; undefined if it does not. An exception rejects, too. */
export async function referenceReason(
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<string | undefined> {
  try {
    const answer = await facilitator.verify(payload, requirements)
    return answer.isValid ? undefined : (answer.invalidReason ?? 'no reason')
  } catch (error) {
    return `thrown: ${error instanceof Error ? error.message : error}`
  }
}
