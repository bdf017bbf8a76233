import type { ErrorRow } from './service-errors.ts'

/** The errors of the vault. Append-only: clients switch on the codes. */
export const vaultErrors = {
  wallet_not_eligible: {
    status: 400,
    meaning: 'The service’s own wallets cannot stake: their vault would not need two parties to sign.',
  },
  position_not_found: {
    status: 400,
    meaning: 'The wallet has no open position with this id.',
  },
  position_locked: {
    status: 400,
    title: 'Position still locked',
    meaning: 'The position’s lock has not ended; the detail says when it does.',
  },
  nothing_to_claim: {
    status: 400,
    meaning: 'No yield has accrued beyond what was claimed.',
  },
  no_leftovers: {
    status: 400,
    meaning: 'The withdrawn position’s account is already closed.',
  },
  transaction_not_ours: {
    status: 400,
    title: 'Transaction mismatch',
    meaning:
      'The transaction is not the one that was built, or its owner’s signature is missing or invalid. With wallet_first, it may add only what wallets may add. The detail says what is wrong.',
  },
  vault_not_found: {
    status: 404,
    meaning: 'The owner has never had a position.',
  },
  transaction_not_found: {
    status: 404,
    meaning:
      'The service did not build this transaction for this wallet, or replaced it with a newer one before it was signed. Build it again.',
  },
  vault_occupied: {
    status: 409,
    title: 'Vault address occupied',
    meaning:
      'The address of the owner’s vault holds another account (a multisig with other signers), so no position can be opened under it.',
  },
  position_not_intact: {
    status: 409,
    meaning:
      'The position’s account was changed or withdrawn without the service, for example with the recovery key. No transaction was built.',
  },
  claim_open: {
    status: 409,
    title: 'Claim already open',
    meaning:
      'Another claim from one of these positions is still open. Send it, or wait until it expires (Retry-After).',
  },
  too_many_open_stacks: {
    status: 409,
    meaning:
      'Five stacking transactions of this wallet are still open: neither landed nor expired. Send them or wait.',
  },
  yield_limit: {
    status: 409,
    title: 'Yield limit reached',
    meaning:
      'The stake’s yield exceeds what this wallet, or all wallets together, may take from the treasury on this UTC day. The detail says how much is left.',
  },
  not_cosigned: {
    status: 409,
    meaning:
      'The wallet does not hold the stake’s amount, or its vault is not open yet, so the service did not sign. Fund the wallet and request the stake again.',
  },
  already_cosigned: {
    status: 409,
    meaning:
      'The service has already signed a different message of this wallet_first transaction, and signs only one. Read its status, and request a new transaction after it has expired.',
  },
  transaction_expired: {
    status: 409,
    meaning:
      'The transaction has expired: the network no longer accepts it, or the service no longer signs it. Request a new one.',
  },
  transaction_failed: {
    status: 409,
    meaning: 'The network rejected the transaction; the detail has its reason. No funds moved.',
  },
  stacking_paused: {
    status: 503,
    meaning: 'An operator or the circuit breaker has stopped new stakes. Claims and withdrawals still work.',
  },
  yield_settling: {
    status: 503,
    title: 'Yield limit pending',
    meaning:
      'The yield limit is used up, but some of it may soon be free: the service is checking which open stakes have expired. Retry after the seconds in Retry-After.',
  },
  yield_reserve_short: {
    status: 503,
    title: 'Yield reserve low',
    meaning: 'The treasury does not hold the yield of the whole term, which is paid into the escrow at once.',
  },
  mint_not_supported: {
    status: 503,
    meaning:
      'The configured mint must belong to the classic Token program and have 9 decimals. The operator must fix this.',
  },
} as const satisfies Record<string, ErrorRow>
