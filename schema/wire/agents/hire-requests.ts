import * as v from 'valibot'
import { AGENT_ID, HIRE_ID } from '../../examples.ts'
import { feeModels, hireStatuses } from '../../values.ts'
import { body, pageFields, parameters } from '../body.ts'
import { Amount, Integer, Layers, Uuid } from '../common.ts'

// Only schemas that the Worker validates by, so that its bundle has no schemas of answers.

/** Body of POST /agents/hire. */
export const HireRequest = body(
  'HireRequest',
  'What to hire. Unknown fields are rejected, so that a mistyped limit does not make an unlimited hire.',
  {
    agentId: [Uuid, 'The agent.'],
    layers: [v.optional(Layers), 'The agent’s layers to enable; all of them when absent.'],
    feeModel: [
      v.optional(v.picklist(feeModels)),
      'The fee model that you agree to. If the agent’s has changed, the hire fails with `price_changed`.',
    ],
    feeAmount: [
      v.optional(Amount),
      'The fee that you agree to. If the agent’s has changed, the hire fails with `price_changed`.',
    ],
    budgetLimit: [v.optional(Amount), 'Maximum lamports per period; no limit when absent.'],
    autoRenew: [v.optional(v.boolean(), false), 'Whether the term is renewed automatically.'],
    expiresInDays: [v.optional(Integer(1, 365), 30), 'The term in days, 1 to 365.'],
  },
  { agentId: AGENT_ID, layers: [17], budgetLimit: 5_000_000_000, expiresInDays: 30 },
)

/** Query of GET /agents/hire. */
export const HireListQuery = parameters({ ...pageFields }, { limit: '50' })

/** Query of GET /agents/{id}/hires. */
export const HirerListQuery = parameters(
  { status: [v.optional(v.picklist(hireStatuses)), 'Only hires with this status.'], ...pageFields },
  { status: 'active', limit: '50' },
)

/** Query of DELETE /agents/hire. */
export const HireQuery = parameters({ id: [Uuid, 'The hire.'] }, { id: HIRE_ID })
