import type { ErrorCode } from '../../schema/error-codes.ts'

/** What each error code means and what a client does about it. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_request: 'A field or parameter is missing, unknown or out of bounds; `errors` names each one.',
  malformed_json: 'The body is not valid JSON.',
  unsupported_media_type: 'The body was not sent as application/json.',
  body_too_large: 'The body is larger than 64 KiB.',
  unknown_path: 'No endpoint has this path.',
  method_not_allowed: 'The endpoint exists but not for this method; the Allow header lists those it has.',
  login_refused:
    'The signature does not answer an open challenge of this wallet. Deliberately one answer for a wrong key, an unknown, expired or used nonce, and text that does not decode.',
  token_missing: 'The endpoint needs a session token in the Authorization header.',
  token_invalid: 'The session token is expired, forged or for another service. Log in again.',
  permission_missing: 'The session is valid but does not allow this.',
  agent_not_found: 'No agent has this id, or (for a change) it belongs to another wallet.',
  agent_not_active: 'The agent is inactive or suspended and can not be hired.',
  agent_suspended:
    'An operator has suspended the agent; its owner can not change its status until that is lifted.',
  layers_not_supported: 'The hire names layers that the agent does not support.',
  already_hired: 'The wallet has an active hire of this agent.',
  hire_not_found: 'The wallet has no hire of this id.',
  vault_not_found: 'The owner has never had a position.',
  vault_occupied:
    'Something else stands at the address of the owner’s vault (a multisig with other signers), so no position can be opened under it.',
  wallet_not_eligible: 'The service’s own wallets can not stake: such a vault would not need two parties.',
  position_not_found: 'The wallet has no open position of this id.',
  position_locked: 'The position’s lock has not ended; the detail says when it does.',
  position_not_intact:
    'The position’s account is not as the service left it (withdrawn with the recovery key, or changed); nothing was built.',
  nothing_to_claim: 'No yield has accrued beyond what was claimed.',
  claim_open:
    'Another claim of one of these positions is still open. Send it, or wait for the seconds in Retry-After until it has expired.',
  too_many_open_stacks: 'Five built stacks of this wallet are neither landed nor expired. Send them or wait.',
  yield_reserve_short: 'The treasury does not hold the yield of the whole term, which is paid in at once.',
  mint_not_supported:
    'The configured mint is not of the classic Token program with 9 decimals; an operator’s mistake.',
  transaction_not_found: 'The service has built no such transaction, or not for this wallet.',
  transaction_not_ours: 'What was sent is not the transaction that was built, signed by its owner.',
  transaction_expired: 'The network no longer takes this transaction. Ask for a new one.',
  transaction_failed: 'The network refused the transaction; the detail has its reason. Nothing moved.',
  invalid_credential:
    'The credential’s dates are impossible: issued in the future, expired, or expired before it was issued.',
  credential_differs: 'The wallet has recorded this credential before, with other details.',
  attestation_not_found: 'No attestation has this id.',
  attestation_not_yours: 'The attestation belongs to another wallet.',
  own_attestation: 'An oracle can not decide its own wallet’s attestations.',
  not_in_review: 'The attestation is not in review: not yet taken, or already decided. Decisions are final.',
  registration_refused:
    'A signed registration failed the check that `errors` names: its timestamp is too far from the server’s time, or its signature is not the agent key’s of exactly this message. The detail has the server’s time and the skew.',
  registration_not_found: 'No agent is registered under this key.',
  signature_used:
    'The signature has registered another body. It counts once, since it covers neither name nor fee: sign again with a later timestamp.',
  registration_outdated: 'The key has a registration of the same or a later timestamp.',
  invite_code_invalid:
    'No one can join with this invite code. Deliberately one answer for a code that is unknown, used, expired or revoked.',
  already_registered: 'The wallet is a pioneer already; its code was not used.',
  no_spots_left: 'Every pioneer spot is taken; the code was not used.',
  rate_limited: 'Too many requests; wait for the seconds in Retry-After.',
  dependency_unavailable:
    'A system behind the service did not answer in time. Nothing is half done; a write may have been done all the same, so look before you repeat one. Try again after Retry-After.',
  event_not_found: 'The wallet’s log has no event of this id.',
  webhook_missing:
    'The event goes to no webhook of this wallet: it is about no agent of it, or that has none.',
  webhook_disabled:
    'The webhook’s endpoint answered 410. What has happened since is held; setting webhookUrl of the agent enables it.',
  internal_error: 'A fault of the service. The request id identifies it.',
}
