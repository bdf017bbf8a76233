import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { AGENT_ID, HIRE_ID } from '../../examples.ts'
import { feeModels, hireStatuses } from '../../values.ts'
import { Amount, Cursor, Integer, Layers, PageLimit, Uuid } from '../common.ts'

// Only schemas that the Worker validates by, so that its bundle has no schemas of answers.

/** Body of POST /agents/hire. */
export const HireRequest = v.strictObject({
  agentId: Uuid,
  layers: v.optional(Layers),
  feeModel: v.optional(v.picklist(feeModels)),
  feeAmount: v.optional(Amount),
  budgetLimit: v.optional(Amount),
  autoRenew: v.optional(v.boolean(), false),
  expiresInDays: v.optional(Integer(1, 365), 30),
})

describe(HireRequest, {
  name: 'HireRequest',
  description:
    'What to hire. Unknown fields are rejected, so that a mistyped limit does not make an unlimited hire.',
  fields: {
    agentId: 'The agent.',
    layers: 'The agent’s layers to enable; all of them when absent.',
    feeModel:
      'The fee model that you agree to. If the agent’s has changed, the hire fails with `price_changed`.',
    feeAmount: 'The fee that you agree to. If the agent’s has changed, the hire fails with `price_changed`.',
    budgetLimit: 'Maximum lamports per period; no limit when absent.',
    autoRenew: 'Whether the term is renewed automatically.',
    expiresInDays: 'The term in days, 1 to 365.',
  },
  example: { agentId: AGENT_ID, layers: [17], budgetLimit: 5_000_000_000, expiresInDays: 30 },
})

/** Query of GET /agents/hire. */
export const HireListQuery = v.object({ limit: PageLimit, cursor: v.optional(Cursor) })

describeParameters(
  HireListQuery,
  {
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { limit: '50' },
)

/** Query of GET /agents/{id}/hires. */
export const HirerListQuery = v.object({
  status: v.optional(v.picklist(hireStatuses)),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(
  HirerListQuery,
  {
    status: 'Only hires with this status.',
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { status: 'active', limit: '50' },
)

/** Query of DELETE /agents/hire. */
export const HireQuery = v.object({ id: Uuid })

describeParameters(HireQuery, { id: 'The hire.' }, { id: HIRE_ID })
