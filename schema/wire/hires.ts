import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { AGENT_ID, HIRE_ID, WALLET } from '../examples.ts'
import { feeModels, hireStatuses } from '../values.ts'
import { Agent, agentExample } from './agents.ts'
import { OwnText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import { Amount, Integer, Layers, Period, Timestamp, Uuid, WireAmount, WireUuid } from './common.ts'

/** The fields of a hire that both sides see. */
const terms = {
  hirer: [OwnText, 'Who hired it.'],
  layersEnabled: [v.array(v.pipe(v.number(), v.integer())), 'Layers the agent may use.'],
  feeModel: [v.picklist(feeModels), 'How it charges for this hire: the agent’s fee model when it was hired.'],
  feeAmount: [WireAmount, 'Basis points for `percentage`, lamports otherwise.'],
  budgetLimit: [v.optional(WireAmount), 'Maximum lamports per period; absent when unlimited.'],
  period: [Period, 'The current or last term. Each renewal begins a new period with the full budget.'],
  spent: [WireAmount, 'Lamports charged in this period.'],
  requestsPaid: [WireAmount, 'Lamports that the hirer has ever paid for requests.'],
  remaining: [
    v.optional(WireAmount),
    'Lamports that may still be charged in this period; absent without budgetLimit.',
  ],
  autoRenew: [v.boolean(), 'Whether the term is renewed automatically.'],
  status: [v.picklist(hireStatuses), 'active, expired (the term ran out) or terminated (ended early).'],
  hiredAt: [Timestamp, 'When it began.'],
  expiresAt: [Timestamp, 'The end of the current term.'],
  endedAt: [v.optional(Timestamp), 'When it expired or was terminated.'],
} as const

const termsExample = {
  hirer: WALLET,
  layersEnabled: [17],
  feeModel: agentExample.feeModel,
  feeAmount: agentExample.feeAmount,
  budgetLimit: 5_000_000_000,
  period: { start: '2026-11-20T09:05:00.000Z', end: '2026-12-20T09:05:00.000Z' },
  spent: 0,
  requestsPaid: 0,
  remaining: 5_000_000_000,
  autoRenew: false,
  status: 'active' as const,
  hiredAt: '2026-11-20T09:05:00.000Z',
  expiresAt: '2026-12-20T09:05:00.000Z',
}

export const Hire = body(
  'Hire',
  'A hire of an agent.',
  { id: [WireUuid, 'UUID.'], agent: [Agent, 'The hired agent.'], ...terms },
  { id: HIRE_ID, agent: agentExample, ...termsExample },
)

export const hireExample = exampleOf(Hire)

export const HirerHire = body(
  'HirerHire',
  'A hire of an agent, as the agent’s owner sees it.',
  { id: [WireUuid, 'UUID.'], agentId: [WireUuid, 'The agent.'], ...terms },
  { id: HIRE_ID, agentId: AGENT_ID, ...termsExample },
)

export const HirerList = pageOf(['HirerList', 'hires', 'One page of an agent’s hires.'], HirerHire, [
  'Newest first.',
  'hires',
])

export const HireList = pageOf(['HireList', 'hires', 'One page of a wallet’s hires.'], Hire, [
  'Newest first.',
  'hires',
])

export const HirePath = parameters({ id: [Uuid, 'The hire.'] }, { id: HIRE_ID })

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

/** Query of GET /agents/hire, and of GET /agents/{id}/hires. */
export const HireListQuery = parameters(
  { status: [v.optional(v.picklist(hireStatuses)), 'Only hires with this status.'], ...pageFields },
  { status: 'active', limit: '50' },
)

/** Query of DELETE /agents/hire. */
export const HireQuery = parameters({ id: [Uuid, 'The hire.'] }, { id: HIRE_ID })
