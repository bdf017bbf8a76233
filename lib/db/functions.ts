// Generated from schema/functions by npm run generate -- functions. Do not edit.
import type { AgentStatus } from '../../schema/values.ts'
import { postgresFunction } from './function.ts'

/**
 * Changes an agent's status, or columns of it by name (null clears one), if the wallet may: as the owner from
 * the statuses of `_owner_from`, as an operator from those of `_operator_from`. What had become due of its
 * hires while the old status was in force is recorded first: leaving `active`, hires with auto_renew have
 * renewed until now; entering it, those whose term ran out meanwhile have expired. Without this a later
 * status would rewrite the past. The check of wallet_quotas refuses one active agent too many.
 */
export const changeAgent = /* @__PURE__ */ postgresFunction<{
  outcome: 'changed' | 'agent_not_found' | 'not_allowed'
  statusBefore: AgentStatus | null
  nudges: string[]
}>()(
  'change_agent',
  {
    id: 'uuid',
    wallet: 'text',
    isOperator: 'boolean',
    changes: 'json',
    status: 'text?',
    reason: 'text?',
    ownerFrom: 'text[]',
    operatorFrom: 'text[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    statusBefore: 'text?',
    nudges: 'text[]',
  },
)

/**
 * Ends a hire of the wallet's at `_now`. A hire that has already ended stays as it is; one whose term has
 * run out unrecorded has expired instead, or renewed until now. Answers, too, what was spent in the hire's
 * last period.
 */
export const endHire = /* @__PURE__ */ postgresFunction<{
  outcome: 'ended' | 'hire_not_found'
  spent: bigint
  nudges: string[]
}>()(
  'end_hire',
  {
    id: 'uuid',
    wallet: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    spent: 'bigint',
    nudges: 'text[]',
  },
)

/**
 * Hires an agent for a term of whole days from `_now`, on the agent's fee of this moment; without layers,
 * for all of the agent's. What has become of an earlier hire of the same agent is recorded first. Of any
 * number of parallel calls of a wallet one hires: they wait for the agent's row.
 */
export const hireAgent = /* @__PURE__ */ postgresFunction<{
  outcome: 'hired' | 'agent_not_found' | 'agent_not_active' | 'layers_not_supported' | 'already_hired'
  agentStatus: AgentStatus | null
  supportedLayers: number[] | null
  nudges: string[]
}>()(
  'hire_agent',
  {
    id: 'uuid',
    wallet: 'text',
    agentId: 'uuid',
    layers: 'smallint[]?',
    budgetLimit: 'bigint?',
    autoRenew: 'boolean',
    termDays: 'smallint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    agentStatus: 'text?',
    supportedLayers: 'smallint[]?',
    nudges: 'text[]',
  },
)

/**
 * Records up to `_limit` hires whose term has run out, whoever's they are, those first whose term ended
 * first. It waits for nobody: the hires of an agent that another transaction is at work on are left to the
 * next call.
 */
export const recordDueHires = /* @__PURE__ */ postgresFunction<{
  expired: number
  renewed: number
}>()(
  'record_due_hires',
  {
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    expired: 'integer',
    renewed: 'integer',
  },
)

/**
 * Offers a new agent, which takes two slots of its wallet's quotas: as one of its agents, and as an active
 * one. The checks of wallet_quotas refuse one too many.
 */
export const registerAgent = /* @__PURE__ */ postgresFunction<{
  nudges: string[]
}>()(
  'register_agent',
  {
    agent: 'json',
    now: 'timestamptz',
  },
  {
    nudges: 'text[]',
  },
)

/**
 * Settles what was suspected of a position by a finalized read. Confirmed, it stops new stacks of its generation.
 * Refuted, the position is as it was read: open, whatever was recorded when it was suspected; but a read refutes
 * nothing that was recorded of a later slot.
 */
export const settleSuspicion = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'superseded'
}>()(
  'settle_suspicion',
  {
    owner: 'text',
    address: 'text',
    isConfirmed: 'boolean',
    balance: 'bigint',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)
