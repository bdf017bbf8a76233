import { createClient, type Progress } from '../../client/index.ts'
import { summaryWords } from '../../console/kit/summary.ts'
import { show, step } from './output.ts'

/** Prints what a verified transaction does, in the words that the console shows before the wallet signs. */
export const onStep = ({ step, summary }: Progress) => {
  if (step === 'sign') show(summaryWords(summary))
}

/**
 * Reads once what an integrator saves, and passes to its clients as `deployment`: the token, the protocol fee
 * and the keys.
 */
export async function readDeployment(baseUrl: string) {
  const read = createClient({ baseUrl }).call('GET /payments/deployment')
  const deployment = await step('The token, the fee and the keys are read once, and pinned', read)
  show(deployment)
  return deployment
}
