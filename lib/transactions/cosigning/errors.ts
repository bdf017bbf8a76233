import { figure } from '../../../schema/figures.ts'
import { MAX_TRANSACTION_BYTES } from '../../solana/transaction.ts'

/**
 * Why a transaction that a wallet returned is not cosigned, in the order of the checks, each with the
 * sentence for the client.
 */
export const COSIGN_ERRORS = {
  malformed: `The transaction is not the Base64 of a well-formed legacy or version 0 transaction of at most ${figure(MAX_TRANSACTION_BYTES)} bytes.`,
  unsupported_version: 'The transaction’s version is not supported. Send a legacy or version 0 transaction.',
  lookup_tables: 'The transaction uses address lookup tables.',
  other_signers: 'The transaction’s signers differ from the built ones in order or role.',
  other_writable_accounts: 'The transaction’s writable accounts differ from the built ones.',
  other_instructions: 'The instructions, apart from guards and compute budget, differ from the built ones.',
  account_not_used: 'The transaction lists an account that no instruction uses.',
  too_many_guards: 'The transaction has more than eight guards.',
  guard_not_allowed: 'A guard of the transaction is not one of Lighthouse’s plain assertions.',
  guard_names_others:
    'A guard uses an account other than the wallet’s own accounts in the built transaction.',
  budget_not_allowed: 'The compute budget has several limits or prices, or a malformed one.',
  compute_limit_too_high: 'The compute unit limit is above 1,400,000.',
  priority_fee_too_high: 'The priority fee is above 0.01 SOL.',
  authority_slot_filled: 'The service’s signature must be empty.',
  owner_signature_invalid: 'The owner’s signature is missing or does not verify.',
} as const

export type CosignError = keyof typeof COSIGN_ERRORS
