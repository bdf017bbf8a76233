import * as postgres from '../../db/functions.ts'
import type { Rejection } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'

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
  const reason = rejection.owners
  if (reason === undefined || recentReasons === undefined || recentReasons.includes(reason)) return rejection
  const { toNotify } = await postgres.recordRequestRefusal.call(db, { agentId, reason, now })
  notify(toNotify)
  return rejection
}
