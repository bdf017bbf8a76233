import type { AgentStatus } from '../../schema/values.ts'

/** Who asks for a change of status, and how much that allows. */
type Role = 'owner' | 'operator'

const ALL: readonly AgentStatus[] = ['active', 'inactive', 'suspended']
const RUNNING: readonly AgentStatus[] = ['active', 'inactive']

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

/** The quantile of the normal distribution for a two-sided confidence of 95 %. */
export const WILSON_Z = 1.96

/**
 * Computes the lower bound (0 to 1) of the Wilson score interval for a share of `completed` in `counted`: how
 * large the share is at least, with 97.5 % confidence. Few hires prove little; 0 when there are none.
 *
 * Written as the quotient of the usual formula's product of roots, c²(n + z²)/n, by its larger root, so that
 * nothing cancels: it is exactly 0 for none completed. lib/agents/outcome-queries.ts has the same in SQL.
 * @param completed from 0 to `counted`
 */
export function wilsonLowerBound(completed: number, counted: number): number {
  if (counted === 0) return 0
  const zz = WILSON_Z * WILSON_Z
  const spread = WILSON_Z * Math.sqrt(zz / 4 + (completed * (counted - completed)) / counted)
  return (completed * completed) / (counted * (completed + zz / 2 + spread))
}
