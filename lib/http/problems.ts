import type { ErrorCode } from '../../schema/error-codes.ts'
import type { Refusal } from '../refusal.ts'
import { json } from './json.ts'

/** Status and title of every error code: the one place where the domain's refusals meet HTTP. */
export const problems = {
  invalid_request: { status: 400, title: 'Invalid request' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  agent_not_active: { status: 400, title: 'Agent not active' },
  layers_not_supported: { status: 400, title: 'Layers not supported' },
  wallet_not_eligible: { status: 400, title: 'Wallet not eligible' },
  position_not_found: { status: 400, title: 'Position not found' },
  position_locked: { status: 400, title: 'Position still locked' },
  nothing_to_claim: { status: 400, title: 'Nothing to claim' },
  invalid_credential: { status: 400, title: 'Invalid credential' },
  invite_code_invalid: { status: 400, title: 'Invite code invalid' },
  transaction_not_ours: { status: 400, title: 'Transaction not ours' },
  login_refused: { status: 401, title: 'Login refused' },
  registration_refused: { status: 401, title: 'Registration refused' },
  token_missing: { status: 401, title: 'Session token missing' },
  token_invalid: { status: 401, title: 'Session token invalid' },
  permission_missing: { status: 403, title: 'Permission missing' },
  attestation_not_yours: { status: 403, title: 'Attestation not yours' },
  own_attestation: { status: 403, title: 'Own attestation' },
  unknown_path: { status: 404, title: 'Unknown path' },
  agent_not_found: { status: 404, title: 'Agent not found' },
  hire_not_found: { status: 404, title: 'Hire not found' },
  vault_not_found: { status: 404, title: 'Vault not found' },
  transaction_not_found: { status: 404, title: 'Transaction not found' },
  attestation_not_found: { status: 404, title: 'Attestation not found' },
  registration_not_found: { status: 404, title: 'Registration not found' },
  event_not_found: { status: 404, title: 'Event not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  already_hired: { status: 409, title: 'Already hired' },
  agent_suspended: { status: 409, title: 'Agent suspended' },
  vault_occupied: { status: 409, title: 'Vault address occupied' },
  position_not_intact: { status: 409, title: 'Position not intact' },
  claim_open: { status: 409, title: 'Claim already open' },
  too_many_open_stacks: { status: 409, title: 'Too many open stacks' },
  transaction_expired: { status: 409, title: 'Transaction expired' },
  transaction_failed: { status: 409, title: 'Transaction failed' },
  credential_differs: { status: 409, title: 'Credential differs' },
  not_in_review: { status: 409, title: 'Not in review' },
  signature_used: { status: 409, title: 'Signature used' },
  registration_outdated: { status: 409, title: 'Registration outdated' },
  already_registered: { status: 409, title: 'Already registered' },
  no_spots_left: { status: 409, title: 'No spots left' },
  webhook_missing: { status: 409, title: 'Webhook missing' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Rate limited' },
  internal_error: { status: 500, title: 'Internal error' },
  yield_reserve_short: { status: 503, title: 'Yield reserve short' },
  mint_not_supported: { status: 503, title: 'Mint not supported' },
  dependency_unavailable: { status: 503, title: 'Dependency unavailable' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>

/**
 * The error response of every endpoint: the members of RFC 9457, sent as application/json as the contract asks.
 * `type` leads to the code's entry in the API reference.
 */
export function problemResponse(refusal: Refusal, request: { url: string; id: string }): Response {
  const { status, title } = problems[refusal.code]
  const { errors, checks, retryAfterSeconds, headers } = refusal.details
  const type = `${new URL(request.url).origin}/v1/docs#error-${refusal.code}`
  const body = {
    type,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    requestId: request.id,
    errors,
    checks,
  }
  return json(body, status, {
    'cache-control': 'no-store',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...headers,
  })
}
