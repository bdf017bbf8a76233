import { figure } from '../../../schema/figures.ts'
import type { RequestRefusalReason } from '../../../schema/values.ts'
import { MAX_TRANSACTION_BYTES } from '../../solana/transaction.ts'
import { MAX_MEMO_BYTES } from '../rules.ts'

/** The reason and the sentence of the answer, and why the owner is told, if the owner can end it. */
export type RejectionRow = readonly [reason: string, message: string, owners?: RequestRefusalReason]

/**
 * The reasons to reject a payment, in the order of the checks. Each has the `invalidReason` of the answer and
 * its sentence (`invalidMessage`). The reasons are from x402's specification, section 9, and its reference
 * implementation for Solana (@x402/svm, exact/facilitator/errors). An error that only this service has uses
 * the nearest reason.
 *
 * An error that the agent's owner can end has the owner's reason, too. None of these depends on what a payer
 * sends, except that a payer chooses the network fee, which credit and days have to cover.
 */
export const PAYMENT_ERRORS = {
  invalid_version: ['invalid_x402_version', 'x402Version is not 2.'],
  payload_malformed: ['invalid_payload', 'paymentPayload lacks `accepted` or `payload.transaction`.'],
  requirements_malformed: [
    'invalid_payment_requirements',
    'paymentRequirements lacks a member, or one has another type.',
    'wrong_accepts',
  ],
  unsupported_scheme: ['invalid_exact_svm_unsupported_scheme', 'The scheme is not `exact`.', 'wrong_accepts'],
  scheme_mismatch: ['invalid_exact_svm_unsupported_scheme', 'The payload was made for another scheme.'],
  network_mismatch: [
    'invalid_exact_svm_network_mismatch',
    'The payload is for a different network than the requirements.',
  ],
  unsupported_network: ['invalid_network', 'This facilitator does not support the network.', 'wrong_accepts'],
  missing_fee_payer: [
    'invalid_exact_svm_payload_missing_fee_payer',
    '`extra.feePayer` is missing.',
    'wrong_accepts',
  ],
  other_fee_payer: [
    'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    '`extra.feePayer` is not the fee payer of this facilitator.',
    'stale_fee_payer',
  ],
  other_agent: [
    'invalid_payment_requirements',
    '`extra.agentId` is not the agent whose key is in the facilitator’s URL.',
    'wrong_accepts',
  ],
  other_owner: [
    'invalid_exact_svm_payload_recipient_mismatch',
    '`payTo` is not the agent’s owner.',
    'wrong_accepts',
  ],
  not_a_price: [
    'invalid_payment_requirements',
    '`amount` and `asset` are not a price of the agent.',
    'not_a_price',
  ],
  memo_too_long: [
    'invalid_payment_requirements',
    `\`extra.memo\` is not a text of at most ${MAX_MEMO_BYTES} bytes.`,
    'wrong_accepts',
  ],
  identifier_malformed: [
    'invalid_payload',
    'The id of the extension `payment-identifier` is not 16 to 128 letters, digits, hyphens or underscores.',
  ],
  undecodable: [
    'invalid_exact_svm_payload_transaction_could_not_be_decoded',
    `The transaction is not the Base64 of a well-formed legacy or version 0 transaction of at most ${figure(MAX_TRANSACTION_BYTES)} bytes.`,
  ],
  lookup_tables: [
    'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
    'The transaction uses address lookup tables.',
  ],
  fee_payer_mismatch: [
    'invalid_exact_svm_fee_payer_mismatch',
    'The transaction’s first signer is not `extra.feePayer`.',
  ],
  other_signers: [
    'invalid_exact_svm_payload_excessive_signers',
    'The transaction’s signers are not the fee payer and one payer.',
  ],
  payer_is_owner: [
    'invalid_exact_svm_payload_recipient_mismatch',
    'The payer is the agent’s owner, who cannot pay itself.',
  ],
  instructions_length: [
    'invalid_exact_svm_payload_transaction_instructions_length',
    'The transaction has fewer than 3 or more than 7 instructions, not counting Lighthouse guards.',
  ],
  no_compute_limit: [
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
    'The first instruction, apart from guards, does not set the compute unit limit.',
  ],
  compute_limit_too_high: [
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
    'The compute unit limit is above 1,400,000.',
  ],
  no_compute_price: [
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
    'The second instruction, apart from guards, does not set the compute unit price.',
  ],
  fee_too_high: [
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
    'The network fee is higher than this facilitator’s limit.',
  ],
  no_transfer: [
    'invalid_exact_svm_payload_no_transfer_instruction',
    'The third instruction, apart from guards, is not a TransferChecked of the classic Token program with four accounts and the payer as authority.',
  ],
  fee_payer_named: [
    'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
    'An instruction uses the fee payer.',
  ],
  mint_mismatch: ['invalid_exact_svm_payload_mint_mismatch', 'The transfer’s mint is not `asset`.'],
  recipient_mismatch: [
    'invalid_exact_svm_payload_recipient_mismatch',
    'The transfer does not go to the associated token account of `payTo`.',
  ],
  source_is_destination: [
    'invalid_exact_svm_payload_recipient_mismatch',
    'The transfer’s source and destination are the same account.',
  ],
  amount_mismatch: ['invalid_exact_svm_payload_amount_mismatch', 'The transfer’s amount is not `amount`.'],
  guard_not_allowed: [
    'invalid_exact_svm_payload_unknown_fourth_instruction',
    'A Lighthouse guard is not a plain assertion about an account.',
  ],
  guard_names_others: [
    'invalid_exact_svm_payload_unknown_fourth_instruction',
    'A Lighthouse guard uses an account other than the source, the payer or the mint.',
  ],
  too_many_guards: [
    'invalid_exact_svm_payload_transaction_instructions_length',
    'The transaction has more than eight Lighthouse guards.',
  ],
  unknown_fourth: [
    'invalid_exact_svm_payload_unknown_fourth_instruction',
    'The fourth instruction, apart from guards, is not a memo without other signers than the payer.',
  ],
  unknown_fifth: [
    'invalid_exact_svm_payload_unknown_fifth_instruction',
    'The fifth instruction, apart from guards, is not a memo without other signers than the payer.',
  ],
  unknown_sixth: [
    'invalid_exact_svm_payload_unknown_sixth_instruction',
    'The sixth instruction, apart from guards, is not a memo without other signers than the payer.',
  ],
  unknown_seventh: [
    'invalid_exact_svm_payload_unknown_seventh_instruction',
    'The seventh instruction, apart from guards, is not a memo without other signers than the payer.',
  ],
  memo_count: [
    'invalid_exact_svm_payload_memo_count',
    'The requirements have a memo, but the transaction does not have exactly one.',
  ],
  memo_mismatch: ['invalid_exact_svm_payload_memo_mismatch', 'The memo is not `extra.memo`.'],
  other_accounts: [
    'invalid_payload',
    'The transaction lists an account that no instruction uses, or marks one that it only reads as writable.',
  ],
  signature_invalid: [
    'invalid_exact_svm_payload_signature_invalid',
    'The payer’s signature is missing or does not verify.',
  ],
  too_many_calls: ['too_many_requests', 'Too many requests about this payment. Try again later.'],
  source_unusable: [
    'invalid_transaction_state',
    'The source is not the payer’s own token account of this mint, or is frozen.',
  ],
  insufficient_funds: ['insufficient_funds', 'The source holds less than the amount.'],
  destination_unusable: [
    'invalid_transaction_state',
    'The associated token account of `payTo` is missing, frozen or owned by somebody else.',
    'no_token_account',
  ],
  blockhash_too_old: [
    'invalid_transaction_state',
    'The blockhash is unknown, or so old that the payment may expire before it lands. Sign with a newer one.',
  ],
  simulation_failed: [
    'invalid_exact_svm_transaction_simulation_failed',
    'The network would reject the transaction.',
  ],
} as const satisfies Record<string, RejectionRow>

export type PaymentError = keyof typeof PAYMENT_ERRORS
