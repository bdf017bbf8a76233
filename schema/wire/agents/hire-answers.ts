import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, HIRE_ID, WALLET } from '../../examples.ts'
import { feeModels, hireStatuses } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { Period, Timestamp, WireAmount, WireUuid } from '../common.ts'
import { Agent, agentExample } from './answers.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

/** The fields of a hire that both sides see. */
const terms = {
  layersEnabled: v.array(v.pipe(v.number(), v.integer())),
  feeModel: v.picklist(feeModels),
  feeAmount: WireAmount,
  budgetLimit: v.optional(WireAmount),
  period: Period,
  spent: WireAmount,
  requestsPaid: WireAmount,
  remaining: v.optional(WireAmount),
  autoRenew: v.boolean(),
  status: v.picklist(hireStatuses),
  hiredAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: v.optional(Timestamp),
}

export const Hire = v.strictObject({ id: WireUuid, agent: Agent, ...terms })

const termsExample = {
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

export const hireExample: v.InferInput<typeof Hire> = { id: HIRE_ID, agent: agentExample, ...termsExample }

const termsWords = {
  layersEnabled: 'Layers the agent may use.',
  feeModel: 'How it charges for this hire: the agent’s fee model when it was hired.',
  feeAmount: 'Basis points for `percentage`, lamports otherwise.',
  budgetLimit: 'Maximum lamports per period; absent when unlimited.',
  period: 'The current or last term. Each renewal begins a new period with the full budget.',
  spent: 'Lamports charged in this period.',
  requestsPaid: 'Lamports that the hirer has ever paid for requests.',
  remaining: 'Lamports that may still be charged in this period; absent without budgetLimit.',
  autoRenew: 'Whether the term is renewed automatically.',
  status: 'active, expired (the term ran out) or terminated (ended early).',
  hiredAt: 'When it began.',
  expiresAt: 'The end of the current term.',
  endedAt: 'When it expired or was terminated.',
}

describe(Hire, {
  name: 'Hire',
  description: 'A hire of an agent.',
  fields: { id: 'UUID.', agent: 'The hired agent.', ...termsWords },
  example: hireExample,
})

export const HirerHire = v.strictObject({ id: WireUuid, agentId: WireUuid, hirer: OwnText, ...terms })

const hirerHireExample: v.InferInput<typeof HirerHire> = {
  id: HIRE_ID,
  agentId: AGENT_ID,
  hirer: WALLET,
  ...termsExample,
}

describe(HirerHire, {
  name: 'HirerHire',
  description: 'A hire of an agent, as the agent’s owner sees it.',
  fields: { id: 'UUID.', agentId: 'The agent.', hirer: 'Who hired it.', ...termsWords },
  example: hirerHireExample,
})

export const HirerList = v.strictObject({
  hires: v.array(HirerHire),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(HirerList, {
  name: 'HirerList',
  description: 'One page of an agent’s hires.',
  fields: {
    hires: 'Newest first.',
    count: 'Number of hires on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { hires: [hirerHireExample], count: 1 },
})

export const HireList = v.strictObject({
  hires: v.array(Hire),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})
describe(HireList, {
  name: 'HireList',
  description: 'One page of a wallet’s hires.',
  fields: {
    hires: 'Newest first.',
    count: 'Number of hires on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { hires: [hireExample], count: 1 },
})
