/**
 * Why a transaction that a wallet returned is not cosigned, in the order of the checks, each with the
 * sentence for the client.
 */
export const COSIGN_ERRORS = {
  malformed:
    'The transaction is not the Base64 of a legacy or version 0 transaction of at most 1,232 bytes, well formed.',
  unsupported_version: 'The transaction’s version is not supported: send a legacy or version 0 one.',
  lookup_tables: 'The transaction takes accounts from lookup tables.',
  other_signers: 'The transaction’s signers are not those that it was built for, in their order and roles.',
  other_writable_accounts: 'The transaction’s writable accounts are not those that it was built with.',
  other_instructions: 'Beside guards and compute budget, the instructions are not those that were built.',
  account_not_used: 'The transaction lists an account that no instruction names.',
  too_many_guards: 'The transaction has more than eight guards.',
  guard_not_allowed: 'A guard of the transaction is not one of Lighthouse’s plain assertions.',
  guard_names_others:
    'A guard of the transaction names an account that is none of the wallet’s own that it was built with.',
  budget_not_allowed:
    'The compute budget has more than one limit and one price, or one that is not well formed.',
  compute_limit_too_high: 'The compute unit limit is above 1,400,000.',
  priority_fee_too_high: 'The priority fee is above 0.01 SOL.',
  authority_slot_filled: 'The slot of the service’s signature is not empty.',
  owner_signature_invalid: 'The owner’s signature is missing or does not verify.',
} as const

export type CosignError = keyof typeof COSIGN_ERRORS
