import type { RequestRefusalReason } from '../../../schema/values.ts'
import * as postgres from '../../db/functions.ts'
import type { PaymentError } from '../checks/errors.ts'
import type { LedgerRejection, Rejection } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'

/**
 * The causes of rejections that an agent's owner can change, by error. Other errors come from what a payer
 * sends, so an owner is not told. A payer affects these only by the network fee, which is taken from the
 * owner's credit and daily limit.
 */
const OWNERS_REASONS: Partial<Record<PaymentError | LedgerRejection, RequestRefusalReason>> = {
  credit_exhausted: 'no_credit',
  owners_day_exhausted: 'day_used_up',
  day_exhausted: 'service_day_used_up',
  destination_unusable: 'no_token_account',
  agent_not_active: 'not_active',
  key_ended: 'former_key',
  not_a_price: 'not_a_price',
  other_fee_payer: 'stale_fee_payer',
  requirements_malformed: 'wrong_accepts',
  unsupported_scheme: 'wrong_accepts',
  unsupported_network: 'wrong_accepts',
  missing_fee_payer: 'wrong_accepts',
  other_agent: 'wrong_accepts',
  other_owner: 'wrong_accepts',
  memo_too_long: 'wrong_accepts',
}

/**
 * Records a rejection for the agent's owner, if the owner can remove its reason. It is one statement, at most
 * once an hour for each agent and reason, in all isolates together. So a flood of rejected calls makes at
 * most nine more statements an hour.
 * @param recentReasons recorded for the agent within REFUSAL_PAUSE_MS, which the call has read with
 *   the prices
 * @returns the rejection
 * @throws ApiError `dependency_unavailable`
 */
export async function recordRefusal<Known extends Rejection>(
  { db, now, notify }: VerifyDeps,
  { key: { agentId } }: FacilitatorCall,
  recentReasons: readonly string[] | undefined,
  rejection: Known,
): Promise<Known> {
  const reason = OWNERS_REASONS[rejection.error]
  if (reason === undefined || recentReasons === undefined || recentReasons.includes(reason)) return rejection
  const { toNotify } = await postgres.recordRequestRefusal.call(db, { agentId, reason, now })
  notify(toNotify)
  return rejection
}
