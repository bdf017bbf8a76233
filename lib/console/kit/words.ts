import { formatCred } from '../../client/amounts.ts'
import type { AnyErrorCode, ClientErrorCode } from '../../client/error.ts'
import type { ErrorCode } from '../../client/generated/types.ts'

const RELOAD = 'Reload this page to get its newest version.'
const CHANGED = 'This page is out of date. Reload it.'
const LATER = 'Try again in a minute.'
const BY_ITSELF = 'This part of the page refreshes by itself.'
const OPERATOR = 'Contact the operator of this service with the request ID from the details below.'
const SUSPICIOUS = 'Don’t try again before the operator of this service has explained this.'
const FUND = 'Add CRED to your wallet, then try again.'
const AGAIN = 'Try again. A new transaction will be created.'
const SIGN_AGAIN = 'Create a new message and sign it unchanged.'
const LOG_IN = 'Try again. Your wallet will ask you to log in.'
const CONNECT = 'Connect your wallet, then try again.'
const START = 'Start again in the program that wants to connect. If it keeps happening, tell its developers.'
const AGAIN_IN_PROGRAM =
  'Remove AgentCred in the program and add it again, so that it registers anew. Then start again there.'
const DONE = 'There is nothing left to do.'

/** The advice to a visitor for each error of the service or the client. */
const ADVICE: Record<ErrorCode | ClientErrorCode, string> = {
  agent_not_active: 'Choose another agent in the market.',
  agent_not_found: 'The agent may have been removed. Search for it in the market.',
  agent_suspended: 'Ask the operator of this service how to have the suspension lifted.',
  already_answered: 'A rating can have one reply, and it can’t be changed.',
  already_cosigned: AGAIN,
  already_hired: 'Open the current hire under Hires, or end it before you hire again.',
  already_registered: DONE,
  attestation_not_found: CHANGED,
  attestation_not_yours: 'Connect the wallet that added this credential.',
  body_too_large: 'Shorten the text and try again.',
  budget_changed: 'Try again.',
  budget_exhausted: 'Charge less, or wait for the next period of the hire.',
  budget_frozen: 'Only the issuer of the token can unfreeze this hire budget.',
  budget_not_found: 'Add funds to the hire budget first.',
  challenge_unexpected: 'Open the console at the address of this service.',
  charge_differs: 'Use a different reference.',
  charge_invalid: 'Correct the charge and try again.',
  charge_not_found: CHANGED,
  charge_not_voidable: CHANGED,
  charges_changed: 'Try again.',
  claim_open: 'Another claim is in progress. Try again in a few minutes.',
  collector_exists: CHANGED,
  collector_foreign: 'Don’t add funds for this owner: their payout account can’t collect them.',
  collector_missing: 'Ask the agent’s owner to set up payouts under Money, then try again.',
  connection_not_found: CHANGED,
  credential_differs: 'Enter the same details as before, or use a different credential ID.',
  cursor_lost: 'Read the events from the beginning.',
  deadline_passed: CHANGED,
  dependency_unavailable: 'Check whether your last action went through, then try again in a minute.',
  endpoint_not_found: CHANGED,
  endpoint_of_agent: 'Change this webhook on the agent’s page.',
  entry_not_found: 'Check the identifier.',
  escrow_short: OPERATOR,
  escrow_taken: OPERATOR,
  event_not_found: CHANGED,
  facilitator_key_unknown: 'Create a new selling key for the agent.',
  foreign_job: 'Use your own login.',
  funding_open: LATER,
  funds_short: FUND,
  hire_not_active: 'Hire the agent again.',
  hire_not_found: CHANGED,
  hire_over: 'Withdraw what is left in the hire budget.',
  input_differs: 'Enter the input of the order.',
  input_missing: 'Enter the input of the order.',
  internal_error: OPERATOR,
  invalid_client: AGAIN_IN_PROGRAM,
  invalid_credential: 'Check the dates of the credential.',
  invalid_grant: START,
  invalid_redirect_uri: START,
  invalid_request: 'Correct it, then try again.',
  invalid_target: START,
  invite_code_invalid: 'Check the code for typos, or ask for a new one.',
  job_changed: CHANGED,
  job_differs: CHANGED,
  job_not_found: CHANGED,
  job_unexpected: SUSPICIOUS,
  jobs_off: LATER,
  judge_not_listed: CHANGED,
  key_leaked: OPERATOR,
  layers_not_supported: 'Choose categories that this agent supports.',
  login_domain_refused: 'Open the console at the address of this service.',
  login_refused: 'Try again and approve the request in your wallet within five minutes.',
  malformed_json: RELOAD,
  mint_not_supported: OPERATOR,
  no_agent_card: 'Choose the endpoint’s protocol on the agent’s page.',
  no_leftovers: DONE,
  no_spots_left: 'You can use everything else without being a pioneer.',
  not_accepting_jobs: 'Choose another agent in the market.',
  not_cosigned: FUND,
  not_funded: FUND,
  not_in_review: CHANGED,
  not_sent: AGAIN,
  nothing_due: CHANGED,
  nothing_to_claim: 'Yield grows every second. Claim it later.',
  nothing_to_collect: 'A charge is collected as a whole, once the hire budget has enough for it.',
  origin_refused: 'Open the console at the address of this service.',
  outcome_unknown: 'Check again in a minute before you try again.',
  own_agent: 'Choose another agent in the market.',
  own_attestation: 'Another oracle must review this credential.',
  own_hire: 'Only other wallets can rate your agent.',
  payment_open: LATER,
  payout_account_unusable:
    'Take back control of the token account in your wallet, or ask its issuer to unfreeze it.',
  permission_missing: 'Connect a wallet that has this permission.',
  position_locked: 'Come back when the lock period ends.',
  position_not_found: CHANGED,
  position_not_intact: 'Ask the operator of this service what happened to this position.',
  price_changed: 'Check the new price, then hire again.',
  price_not_found: 'Ask the agent’s owner for the price of a request.',
  quota_exceeded: 'Remove one that you don’t need, then try again.',
  rate_limited: LATER,
  rating_final: 'This rating can no longer be changed.',
  rating_not_found: CHANGED,
  refund_account_exists: CHANGED,
  refund_account_foreign: OPERATOR,
  refund_account_missing: AGAIN,
  registration_barred: 'Register with another key, or ask the operator for the reason.',
  registration_not_found: 'Check the key, or register the agent.',
  registration_outdated: SIGN_AGAIN,
  registration_refused: SIGN_AGAIN,
  request_expired: 'Reload this page, or start again in the program that wants to connect.',
  route_not_checkable: 'Do what the message says, then check the route again.',
  session_revoked: LOG_IN,
  signature_used: SIGN_AGAIN,
  spend_limit_exceeded: 'Choose a lower budget, or connect again with a higher spending limit.',
  stacking_paused: 'Stake later. You can still claim yield and withdraw.',
  terms_differ: CHANGED,
  terms_not_met: CHANGED,
  token_invalid: LOG_IN,
  token_missing: CONNECT,
  too_little_paid: 'Rate this agent once more of its charges have been collected.',
  too_many_open_stacks: 'Wait a few minutes until your other stakes are confirmed or have expired.',
  too_many_sockets: 'Close another tab of this console.',
  transaction_expired: AGAIN,
  transaction_failed: 'Fix the problem above, then try again.',
  transaction_not_found: AGAIN,
  transaction_not_ours: 'Try again. If it keeps happening, use a wallet that doesn’t change transactions.',
  transaction_unexpected: SUSPICIOUS,
  treasury_unavailable: OPERATOR,
  unexpected_answer: 'Try again in a minute. If it keeps happening, contact the operator of this service.',
  unreachable: 'Check whether your last action went through before you try again.',
  unsupported_grant_type: START,
  unsupported_media_type: RELOAD,
  upgrade_required: RELOAD,
  vault_not_found: 'Stake CRED first.',
  vault_occupied: 'Stake from another wallet.',
  wallet_incapable: 'Connect another wallet or account that supports this.',
  wallet_missing: CONNECT,
  wallet_not_eligible: 'Stake from another wallet.',
  wallet_refused: 'To continue, try again and approve the request in your wallet.',
  webhook_disabled: 'Enable the endpoint first.',
  webhook_missing: 'Choose an endpoint that receives this event.',
  webhook_unconfirmed: 'Confirm the endpoint first.',
  yield_limit: 'Stake less, or try again tomorrow (UTC).',
  yield_reserve_short: 'Stake less, choose a shorter lock period, or try again later.',
  yield_settling: 'The limit for new stakes is being updated. Try again in a few seconds.',
}

/** Errors after which a read is repeated without a press (retries.ts). */
const PASSING: ReadonlySet<AnyErrorCode> = new Set(['dependency_unavailable', 'rate_limited', 'unreachable'])

/** Returns what to do about a read that failed: nothing was changed, so there is nothing to check. */
export const adviceOnRead = (code: AnyErrorCode): string => (PASSING.has(code) ? BY_ITSELF : adviceOn(code))

/** Returns what to do about an error. A code newer than this page means that the page is outdated. */
export const adviceOn = (code: AnyErrorCode): string => (code in ADVICE ? ADVICE[code as ErrorCode] : RELOAD)

/**
 * Returns the service's message about a field as a sentence with the label that the visitor sees.
 * @param label such as `Period in days` or `Name (optional)`
 * @param message such as `must be at most 365`
 * @param amountWords says the message's numbers, if the field is an amount
 */
export function fieldSentence(
  label: string,
  message: string,
  amountWords?: (amount: bigint) => string,
): string {
  if (message === 'must have at least 1 entry') return 'Choose at least one.'
  const name = label.replace(/ \(.*\)$|,.*$| in CRED$/, '')
  const words = amountWords ? message.replace(/\d+/g, (number) => amountWords(BigInt(number))) : message
  return `${name} ${words}.`
}

/**
 * Returns a path of the service in words, for a field that the page does not have: `Expires in days` for
 * `expiresInDays`.
 */
export const spelled = (path: string): string => {
  const words = path.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/[._]/g, ' ')
  return words === '' ? 'The request' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns a sentence of the service with its lamports of CRED as CRED. */
export const inCred = (sentence: string): string =>
  sentence.replace(/(\d+) lamports/g, (_, lamports: string) => `${formatCred(BigInt(lamports))} CRED`)
