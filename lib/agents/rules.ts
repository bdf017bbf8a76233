import type { AgentStatus } from '../../schema/values.ts'
import { weightOf } from '../reputation/counterparties/rules.ts'

/** The role in which a caller changes an agent's status. */
type Role = 'owner' | 'operator'

const ALL: readonly AgentStatus[] = ['active', 'inactive', 'suspended']
const RUNNING: readonly AgentStatus[] = ['active', 'inactive']

/** Limits an owner's changes of an agent per UTC day. Each writes an event, listings or indexes. */
export const CHANGES_PER_DAY = 60

/**
 * Lists the statuses from which a role may move an agent to `to` (undefined: keep the status and change other
 * fields). An owner switches between active and inactive; an operator suspends from anywhere and lifts a
 * suspension to inactive, so that the owner decides when the agent is offered again.
 */
export function statusesAllowing(role: Role, to: AgentStatus | undefined): readonly AgentStatus[] {
  if (role === 'owner') {
    if (to === undefined) return ALL
    return to === 'suspended' ? [] : RUNNING
  }
  if (to === 'suspended') return ALL
  return to === 'inactive' ? ['suspended'] : []
}

/** Returns the weighted average of the payers' latest ratings, to two decimals; undefined without weight. */
export const averageRating = (of: { ratingSum: bigint; ratedWeight: bigint }): number | undefined =>
  of.ratedWeight === 0n
    ? undefined
    : Math.round((weightOf(of.ratingSum) / weightOf(of.ratedWeight)) * 100) / 100
