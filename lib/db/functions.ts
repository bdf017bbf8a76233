// Generated from schema/functions by npm run generate -- functions. Do not edit.
import type { AgentStatus } from '../../schema/values.ts'
import { postgresFunction } from './function.ts'

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
