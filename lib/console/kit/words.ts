import type { AnyErrorCode, ClientErrorCode } from '../../client/error.ts'
import type { ErrorCode } from '../../client/generated/types.ts'
import { formatTime } from '../locale.ts'

const RELOAD = 'This page does not fit the service any more: load it again.'
const LOOK_AGAIN = 'What is shown here has changed meanwhile: load the page again.'
const LATER = 'Try again in a minute.'
const OPERATOR = 'Whoever runs this service must mend that: tell them the request’s number.'
const FUND = 'Put CRED into the wallet, then begin again.'
const BEGIN_AGAIN = 'Begin again: a new transaction will be built.'

/** What a visitor does about an error, for each that the service or the client knows. */
const ADVICE: Record<ErrorCode | ClientErrorCode, string> = {
  agent_not_active: 'Look for another agent in the market.',
  agent_not_found: 'It may have been removed: look for it in the market.',
  agent_suspended: 'Ask the operators of this service what they need to lift it.',
  already_answered: 'An answer stands as it is.',
  already_cosigned: BEGIN_AGAIN,
  already_hired: 'Find it under Hires; end that hire before you begin another.',
  already_registered: 'Nothing more is to be done.',
  attestation_not_found: LOOK_AGAIN,
  attestation_not_yours: 'Connect the wallet that recorded it.',
  body_too_large: 'Shorten the texts.',
  budget_changed: 'Try again.',
  budget_exhausted: 'Charge less, or wait for the next period of the hire.',
  budget_frozen: 'Only the token’s issuer can lift that.',
  budget_not_found: 'Fund the budget account first.',
  charge_differs: 'Choose another reference.',
  charge_invalid: 'Change what is said above.',
  charge_not_found: LOOK_AGAIN,
  charge_not_voidable: LOOK_AGAIN,
  charges_changed: 'Try again.',
  claim_open: 'Wait a few minutes, then claim again.',
  collector_exists: LOOK_AGAIN,
  collector_foreign: 'Fund nothing for this owner: nobody could collect it rightly.',
  collector_missing: 'The agent’s owner makes it under Earnings; ask them to.',
  credential_differs: 'Give it as before, or under another id.',
  cursor_lost: 'Read the log from its beginning.',
  dependency_unavailable: 'Look whether it has been done, then try again in a minute.',
  endpoint_not_found: LOOK_AGAIN,
  endpoint_of_agent: 'Change it on the page of the agent.',
  entry_not_found: 'Check the identifier.',
  event_not_found: LOOK_AGAIN,
  facilitator_key_unknown: 'Make a new key of the facilitator for the agent.',
  funds_short: FUND,
  hire_not_active: 'Hire the agent anew.',
  hire_not_found: LOOK_AGAIN,
  hire_over: 'Withdraw what is left in its budget account.',
  internal_error: OPERATOR,
  invalid_credential: 'Check the dates.',
  invalid_request: 'Change what is named below, then send it again.',
  invite_code_invalid: 'Check the code for slips, or ask for another.',
  layers_not_supported: 'Choose among the layers of the agent.',
  login_domain_refused: 'Open the console at the service’s own address.',
  login_refused: 'Log in again, and answer the wallet within five minutes.',
  malformed_json: RELOAD,
  mint_not_supported: OPERATOR,
  no_agent_card: 'Set on the agent’s page what its endpoint speaks.',
  no_leftovers: 'Nothing more is to be done.',
  no_spots_left: 'All else works without one.',
  not_cosigned: FUND,
  not_funded: FUND,
  not_sent: BEGIN_AGAIN,
  not_in_review: LOOK_AGAIN,
  nothing_to_claim: 'Yield grows by the second: claim later.',
  nothing_to_collect: 'Charge for work first, or ask the hirers to fund their accounts.',
  outcome_unknown: 'Look again in a minute before you begin anew.',
  own_attestation: 'Another oracle must decide it.',
  own_hire: 'Only other wallets can rate it.',
  payout_account_unusable: 'Make the account your own again in your wallet, or ask who froze it.',
  permission_missing: 'Connect a wallet that may do this.',
  position_locked: 'Come back when its term is over.',
  position_not_found: LOOK_AGAIN,
  position_not_intact: 'Ask the operators of this service what has become of it.',
  price_changed: 'Look at the new price, then hire again.',
  price_not_found: 'Ask the agent’s owner what its requests cost.',
  quota_exceeded: 'Remove one that you do not need, then try again.',
  rate_limited: LATER,
  rating_final: 'It stands as it is.',
  rating_not_found: LOOK_AGAIN,
  registration_barred: 'Register under another key, or ask the operators why.',
  registration_not_found: 'Check the key, or register it.',
  registration_outdated: 'Prepare the message anew and sign that.',
  registration_refused: 'Prepare the message anew and sign exactly that.',
  session_revoked: 'Do it again: your wallet will be asked to log in.',
  signature_used: 'Prepare the message anew and sign that.',
  stacking_paused: 'Stake later; claims and withdrawals go on.',
  token_invalid: 'Do it again: your wallet will be asked to log in.',
  token_missing: 'Connect your wallet, then do it again.',
  too_little_paid: 'Rate it once more has been paid.',
  too_many_open_stacks: 'Wait a few minutes until they have landed or expired.',
  too_many_sockets: 'Close another page of this console.',
  transaction_expired: BEGIN_AGAIN,
  transaction_failed: 'Mend what is said above, then begin again.',
  transaction_not_found: BEGIN_AGAIN,
  transaction_not_ours: 'Begin again. If it stays so, use a wallet that signs what it is given.',
  treasury_unavailable: OPERATOR,
  unexpected_answer: 'Try again in a minute. If it stays so, tell whoever runs this service.',
  unreachable: 'What is shown may be out of date. This page asks again when the network is back.',
  unsupported_media_type: RELOAD,
  upgrade_required: RELOAD,
  vault_not_found: 'Stake something first.',
  vault_occupied: 'Stake from another wallet.',
  wallet_incapable: 'Connect another wallet or account, which can.',
  wallet_missing: 'Connect your wallet, then do it again.',
  wallet_not_eligible: 'Stake from another wallet.',
  wallet_refused: 'Do it again if you want it, and allow it in the wallet.',
  webhook_disabled: 'Enable the endpoint first.',
  webhook_unconfirmed: 'Confirm the endpoint first.',
  webhook_missing: 'Name an endpoint that takes this event.',
  yield_limit: 'Stake less, or again tomorrow (UTC).',
  yield_reserve_short: 'Stake less or for a shorter term, or later.',
  yield_settling: 'The limit for new stakes is being settled. Try again in a few seconds.',
}

/** What to do about an error; about one that is newer than this page, load it again. */
export const adviceOn = (code: AnyErrorCode): string => (code in ADVICE ? ADVICE[code as ErrorCode] : RELOAD)

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * What signing a transaction does and costs, from the service's words, which are for programs, too: without
 * the sentences on endpoints, and with times as the reader's own clock has them.
 */
export const forReaders = (message: string): string =>
  message
    .split(/(?<=\.) (?=[A-Z])/)
    .filter((sentence) => !sentence.includes(' /'))
    .join(' ')
    .replace(TIME, formatTime)
