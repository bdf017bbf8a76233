import { type ErrorRow, serviceErrors } from './service-errors.ts'
import './words.ts'

/** Every error code that a client can meet. Append-only: clients switch on the codes. */
export const errors = {
  ...serviceErrors,
  agent_not_active: {
    status: 400,
    title: 'Agent not active',
    meaning: WORDS && 'The agent is inactive or suspended and can not be hired.',
  },
  layers_not_supported: {
    status: 400,
    title: 'Layers not supported',
    meaning: WORDS && 'The hire names layers that the agent does not support.',
  },
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
  invalid_credential: {
    status: 400,
    title: 'Invalid credential',
    meaning:
      WORDS &&
      'The credential’s dates are impossible: issued in the future, expired, or expired before it was issued.',
  },
  invite_code_invalid: {
    status: 400,
    title: 'Invite code invalid',
    meaning:
      WORDS &&
      'The invite code can not be redeemed. Deliberately the same answer for a code that is unknown, used, expired or revoked.',
  },
  transaction_not_ours: {
    status: 400,
    title: 'Transaction not ours',
    meaning:
      WORDS &&
      'What was sent is not the transaction that was built, signed by its owner; of wallet_first, with nothing more than a wallet may add. The detail says what is wrong.',
  },
  login_refused: {
    status: 401,
    title: 'Login refused',
    meaning:
      WORDS &&
      'The signature does not answer an open challenge of this wallet. Deliberately the same answer for a wrong key, an unknown, expired or used nonce, and text that does not decode.',
  },
  registration_refused: {
    status: 401,
    title: 'Registration refused',
    meaning:
      WORDS &&
      'A signed registration failed the check that `errors` names: its timestamp is too far from the server’s time, or its signature is not the agent key’s of exactly this message. The detail has the server’s time and the skew.',
  },
  attestation_not_yours: {
    status: 403,
    title: 'Attestation not yours',
    meaning: WORDS && 'The attestation belongs to another wallet.',
  },
  login_domain_refused: {
    status: 403,
    title: 'Login domain refused',
    meaning: WORDS && 'This deployment lets only certain pages log users in, and the Origin is none of them.',
  },
  registration_barred: {
    status: 403,
    title: 'Registration barred',
    meaning: WORDS && 'An operator has removed this key’s entry; the key can not register again.',
  },
  own_attestation: {
    status: 403,
    title: 'Own attestation',
    meaning: WORDS && 'An oracle can not decide its own wallet’s attestations.',
  },
  agent_not_found: {
    status: 404,
    title: 'Agent not found',
    meaning: WORDS && 'No agent has this id, or (for a change) it belongs to another wallet.',
  },
  hire_not_found: {
    status: 404,
    title: 'Hire not found',
    meaning: WORDS && 'The wallet has no hire of this id.',
  },
  vault_not_found: {
    status: 404,
    title: 'Vault not found',
    meaning: WORDS && 'The owner has never had a position.',
  },
  transaction_not_found: {
    status: 404,
    title: 'Transaction not found',
    meaning: WORDS && 'The service has built no such transaction, or not for this wallet.',
  },
  attestation_not_found: {
    status: 404,
    title: 'Attestation not found',
    meaning: WORDS && 'No attestation has this id.',
  },
  registration_not_found: {
    status: 404,
    title: 'Registration not found',
    meaning: WORDS && 'No agent is registered under this key.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    meaning: WORDS && 'The wallet’s log has no event of this id.',
  },
  already_hired: {
    status: 409,
    title: 'Already hired',
    meaning: WORDS && 'The wallet has an active hire of this agent.',
  },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: WORDS && 'The wallet has as many of these as it may; the detail says how many that is.',
  },
  agent_suspended: {
    status: 409,
    title: 'Agent suspended',
    meaning:
      WORDS &&
      'An operator has suspended the agent; its owner can not change its status until that is lifted.',
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
      'The network no longer takes this transaction, or the service no longer signs it: its time is over, or another was asked for in its place. Ask for a new one.',
  },
  transaction_failed: {
    status: 409,
    title: 'Transaction failed',
    meaning: WORDS && 'The network refused the transaction; the detail has its reason. Nothing moved.',
  },
  credential_differs: {
    status: 409,
    title: 'Credential differs',
    meaning: WORDS && 'The wallet has recorded this credential before, with other details.',
  },
  not_in_review: {
    status: 409,
    title: 'Not in review',
    meaning:
      WORDS && 'The attestation is not in review: not yet taken, or already decided. Decisions are final.',
  },
  signature_used: {
    status: 409,
    title: 'Signature used',
    meaning:
      WORDS &&
      'The signature has registered another body. It counts once, since it covers neither name nor fee: sign again with a later timestamp.',
  },
  registration_outdated: {
    status: 409,
    title: 'Registration outdated',
    meaning: WORDS && 'The key has a registration of the same or a later timestamp.',
  },
  already_registered: {
    status: 409,
    title: 'Already registered',
    meaning: WORDS && 'The wallet is a pioneer already; its code was not used.',
  },
  no_spots_left: {
    status: 409,
    title: 'No spots left',
    meaning: WORDS && 'Every pioneer spot is taken; the code was not used.',
  },
  webhook_missing: {
    status: 409,
    title: 'Webhook missing',
    meaning:
      WORDS &&
      'The event has no webhook of this wallet: it concerns none of its agents, or that agent has no webhook.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    meaning:
      WORDS &&
      'The webhook’s endpoint answered 410, or nothing with 2xx for five days. What has happened since is held; setting webhookUrl of the agent enables it.',
  },
  stacking_paused: {
    status: 503,
    title: 'Stacking paused',
    meaning:
      WORDS && 'An operator or the circuit breaker has stopped new stakes. Claims and withdrawals go on.',
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

export type ErrorCode = keyof typeof errors
