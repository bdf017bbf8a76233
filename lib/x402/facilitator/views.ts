import type { Wire } from '../../../schema/wire/common.ts'
import type {
  SettleAnswer as Settled,
  Supported,
  VerifyAnswer as Verified,
} from '../../../schema/wire/x402.ts'
import type { FeePayers } from '../keys/fee-payers.ts'
import type { SettleAnswer, VerifyAnswer } from './answers.ts'

/** Returns the answer to GET /supported, by section 7.3 of the specification. */
export const supportedView = ({ newest, all }: FeePayers, network: string): Wire<typeof Supported> => ({
  kinds: [{ x402Version: 2, scheme: 'exact', network, extra: { feePayer: newest.address } }],
  extensions: ['bazaar', 'payment-identifier'],
  signers: { 'solana:*': all.map(({ address }) => address) },
})

export const verifyView = (answer: VerifyAnswer): Wire<typeof Verified> => ({
  isValid: answer.isValid,
  invalidReason: answer.invalidReason,
  invalidMessage: answer.invalidMessage,
  payer: answer.payer,
})

export const settleView = (answer: SettleAnswer): Wire<typeof Settled> => ({
  success: answer.success,
  errorReason: answer.errorReason,
  errorMessage: answer.errorMessage,
  payer: answer.payer,
  transaction: answer.transaction,
  network: answer.network,
})
