import type { ErrorRow } from './service-errors.ts'
import './docs.ts'

/** The errors of the vault. Append-only: clients switch on the codes. */
export const vaultErrors = {
  wallet_not_eligible: {
    status: 400,
    title: 'Wallet not eligible',
    meaning: WORDS && 'The service’s own wallets can not stake: such a vault would not need two parties.',
  },
  position_not_found: {
    status: 400,
    title: 'Position not found',
    meaning: WORDS && 'The wallet has no open position of this id.',
  },
  position_locked: {
    status: 400,
    title: 'Position still locked',
    meaning: WORDS && 'The position’s lock has not ended; the detail says when it does.',
  },
  nothing_to_claim: {
    status: 400,
    title: 'Nothing to claim',
    meaning: WORDS && 'No yield has accrued beyond what was claimed.',
  },
  no_leftovers: {
    status: 400,
    title: 'No leftovers',
    meaning: WORDS && 'The withdrawn position’s account is closed already.',
  },
  transaction_not_ours: {
    status: 400,
    title: 'Transaction not ours',
    meaning:
      WORDS &&
      'What was sent is not the transaction that was built, signed by its owner; of wallet_first, with nothing more than a wallet may add. The detail says what is wrong.',
  },
  vault_not_found: {
    status: 404,
    title: 'Vault not found',
    meaning: WORDS && 'The owner has never had a position.',
  },
  transaction_not_found: {
    status: 404,
    title: 'Transaction not found',
    meaning:
      WORDS &&
      'The service has built no such transaction, or not for this wallet; or nobody had signed it when another was built in its place. Build it again.',
  },
  vault_occupied: {
    status: 409,
    title: 'Vault address occupied',
    meaning:
      WORDS &&
      'The address of the owner’s vault holds another account (a multisig with other signers), so no position can be opened under it.',
  },
  position_not_intact: {
    status: 409,
    title: 'Position not intact',
    meaning:
      WORDS &&
      'The position’s account is not as the service left it (withdrawn with the recovery key, or changed); nothing was built.',
  },
  claim_open: {
    status: 409,
    title: 'Claim already open',
    meaning:
      WORDS &&
      'Another claim of one of these positions is still open. Send it, or wait for the seconds in Retry-After until it has expired.',
  },
  too_many_open_stacks: {
    status: 409,
    title: 'Too many open stacks',
    meaning:
      WORDS &&
      'Five stacking transactions of this wallet are still open: neither landed nor expired. Send them or wait.',
  },
  yield_limit: {
    status: 409,
    title: 'Yield limit reached',
    meaning:
      WORDS &&
      'The stake’s yield is more than may be taken from the treasury now: by this wallet, or by all, on this UTC day. The detail says how much may be.',
  },
  not_cosigned: {
    status: 409,
    title: 'Not cosigned',
    meaning:
      WORDS &&
      'The wallet does not hold the stake’s amount, or its vault does not stand yet, so the service has not signed. Fund the wallet and ask for the stake again.',
  },
  already_cosigned: {
    status: 409,
    title: 'Already cosigned',
    meaning:
      WORDS &&
      'The service has signed another message of this wallet_first transaction, and signs one only. Read its state; ask for a new one once it has expired.',
  },
  transaction_expired: {
    status: 409,
    title: 'Transaction expired',
    meaning:
      WORDS &&
      'The network no longer takes this transaction, or the service no longer signs it: its time is over. Ask for a new one.',
  },
  transaction_failed: {
    status: 409,
    title: 'Transaction failed',
    meaning: WORDS && 'The network refused the transaction; the detail has its reason. Nothing moved.',
  },
  stacking_paused: {
    status: 503,
    title: 'Stacking paused',
    meaning:
      WORDS && 'An operator or the circuit breaker has stopped new stakes. Claims and withdrawals go on.',
  },
  yield_settling: {
    status: 503,
    title: 'Yield limit being settled',
    meaning:
      WORDS &&
      'The yield limit has no room, and the service is asking the chain right now which stakes that hold some of it have expired. Ask again after Retry-After.',
  },
  yield_reserve_short: {
    status: 503,
    title: 'Yield reserve short',
    meaning: WORDS && 'The treasury does not hold the yield of the whole term, which is paid in at once.',
  },
  mint_not_supported: {
    status: 503,
    title: 'Mint not supported',
    meaning:
      WORDS &&
      'The configured mint is not of the classic Token program with 9 decimals; the operator must correct it.',
  },
} as const satisfies Record<string, ErrorRow>
