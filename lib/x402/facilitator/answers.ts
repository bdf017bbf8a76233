import type { RequestRefusalReason } from '../../../schema/values.ts'
import type { settleRequestPayment, verifyRequestPayment } from '../../db/functions.ts'
import type { RejectionRow } from '../checks/errors.ts'
import type { ListingAnswer } from '../resources/extension-responses.ts'

/** The answers of the specification's section 7. A rejection is an answer, too. */
export type VerifyAnswer = {
  isValid: boolean
  invalidReason?: string
  invalidMessage?: string
  payer?: string
  /** What became of the declaration of a valid payment's route. It never changes the rest. */
  listing?: ListingAnswer | undefined
}
export type SettleAnswer = {
  success: boolean
  errorReason?: string
  errorMessage?: string
  payer?: string
  /** The transaction's id on the network, Base58; empty if nothing was sent. */
  transaction: string
  network: string
  /** What became of the declaration of a settled payment's route. It never changes the rest. */
  listing?: ListingAnswer | undefined
}

type OutcomeOf<F extends { call(...args: never[]): Promise<{ outcome: string }> }> = Awaited<
  ReturnType<F['call']>
>['outcome']
/** The outcomes by which the ledger rejects a payment. */
type LedgerRejection = Exclude<
  OutcomeOf<typeof settleRequestPayment> | OutcomeOf<typeof verifyRequestPayment>,
  'recorded' | 'resumed' | 'settled' | 'valid' | 'resumable' | 'not_payable'
>

/** The outcomes by which the ledger rejects a payment, as PAYMENT_ERRORS has those of checks. */
const LEDGER_REASONS: Record<LedgerRejection, RejectionRow> = {
  duplicate: ['duplicate_settlement', 'Another call is settling this payment, or got its success.'],
  failed: ['invalid_exact_svm_transaction_failed', 'The payment failed on the network.'],
  expired: ['invalid_exact_svm_transaction_failed', 'The payment expired and did not land.'],
  agent_not_active: ['invalid_payment_requirements', 'The agent is not active.', 'not_active'],
  key_ended: [
    'key_ended',
    'The key in the facilitator’s URL was replaced. Use the newest URL.',
    'former_key',
  ],
  identifier_used: [
    'payment_identifier_used',
    'Another payment of the payer to this agent has the same payment identifier, and is pending or settled.',
  ],
  not_a_price: [
    'invalid_payment_requirements',
    '`amount` and `asset` are not a price of the agent.',
    'not_a_price',
  ],
  payer_barred: ['payer_barred', 'Payments of this payer failed too often. Try again in an hour.'],
  too_many_in_flight: ['too_many_in_flight', 'The payer has too many payments in flight.'],
  funds_reserved: ['funds_reserved', 'Other payments in flight leave too little in the account.'],
  credit_exhausted: [
    'credit_exhausted',
    'The agent’s owner has no credit left for network fees.',
    'no_credit',
  ],
  owners_day_exhausted: [
    'credit_exhausted',
    'The agent’s owner has reached its daily limit of network fees.',
    'day_used_up',
  ],
  day_exhausted: [
    'day_exhausted',
    'The service has reached its daily limit of network fees.',
    'service_day_used_up',
  ],
}

/** Why a payment is rejected: the answer's reason and sentence, and the reason for the agent's owner. */
export type Rejection = { reason: string; message: string; owners?: RequestRefusalReason | undefined }

/** The balance of a payment's source, or why a check has rejected the payment. */
export type Funds = { balance: bigint } | { rejection: Rejection }

/** Returns the reason by which the ledger rejects a payment. */
export function reasonOf(outcome: LedgerRejection): Rejection {
  const [reason, message, owners] = LEDGER_REASONS[outcome]
  return { reason, message, owners }
}

/** Returns the reason like {@link reasonOf}, or the earlier rejection if the ledger got no balance. */
export function reasonWith(outcome: LedgerRejection | 'not_payable', funds: Funds): Rejection {
  if (outcome !== 'not_payable') return reasonOf(outcome)
  if ('rejection' in funds) return funds.rejection
  throw new Error('the ledger rejected a payment that has a balance')
}
