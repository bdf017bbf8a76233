import * as v from 'valibot'
import { AGENT_ID, HIRE_ID } from '../examples.ts'
import { hireStatuses } from '../values.ts'
import { describe, describeParameters } from '../words.ts'
import { Agent, agentExample } from './agents.ts'
import { Amount, Integer, Layers, PageLimit, Timestamp, Uuid, WireAmount, WireUuid } from './common.ts'

/** Body of POST /agents/hire. */
export const HireRequest = v.strictObject({
  agentId: Uuid,
  layers: v.optional(Layers),
  budgetLimit: v.optional(Amount),
  autoRenew: v.optional(v.boolean(), false),
  expiresInDays: v.optional(Integer(1, 365), 30),
})

if (WORDS)
  describe(HireRequest, {
    name: 'HireRequest',
    description:
      'What to hire. Unknown fields are refused, so that a mistyped limit is not an unlimited hire.',
    fields: {
      agentId: 'The agent.',
      layers: 'Layers to enable, among the agent’s; all of them when absent.',
      budgetLimit: 'Maximum lamports per period; no limit when absent.',
      autoRenew: 'Whether the term is extended again and again.',
      expiresInDays: 'The term in days, 1 to 365.',
    },
    example: { agentId: AGENT_ID, layers: [17], budgetLimit: 5_000_000_000, expiresInDays: 30 },
  })

/** Query of GET /agents/hire. */
export const HireListQuery = v.object({ limit: PageLimit, cursor: v.optional(v.string()) })

if (WORDS)
  describeParameters(
    HireListQuery,
    {
      limit: 'At most this many hires; above 100 is served as 100.',
      cursor: 'The `nextCursor` of the page before.',
    },
    { limit: '50' },
  )

/** Query of DELETE /agents/hire. */
export const HireQuery = v.object({ id: Uuid })

if (WORDS) describeParameters(HireQuery, { id: 'The hire.' }, { id: HIRE_ID })

export const Hire = v.strictObject({
  id: WireUuid,
  agent: Agent,
  layersEnabled: v.array(v.pipe(v.number(), v.integer())),
  budgetLimit: v.optional(WireAmount),
  autoRenew: v.boolean(),
  status: v.picklist(hireStatuses),
  hiredAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: v.optional(Timestamp),
})

export const hireExample: v.InferInput<typeof Hire> = {
  id: HIRE_ID,
  agent: agentExample,
  layersEnabled: [17],
  budgetLimit: 5_000_000_000,
  autoRenew: false,
  status: 'active',
  hiredAt: '2026-11-20T09:05:00.000Z',
  expiresAt: '2026-12-20T09:05:00.000Z',
}

if (WORDS)
  describe(Hire, {
    name: 'Hire',
    description: 'A hire of an agent.',
    fields: {
      id: 'UUID.',
      agent: 'The hired agent.',
      layersEnabled: 'Layers the agent may use.',
      budgetLimit: 'Maximum lamports per period; absent when unlimited.',
      autoRenew: 'Whether the term is extended again and again.',
      status: 'active, expired (the term ran out) or terminated (ended early).',
      hiredAt: 'When it began.',
      expiresAt: 'The end of the current term.',
      endedAt: 'When it expired or was terminated.',
    },
    example: hireExample,
  })

export const HireList = v.strictObject({
  hires: v.array(Hire),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})
if (WORDS)
  describe(HireList, {
    name: 'HireList',
    description: 'One page of a wallet’s hires.',
    fields: {
      hires: 'Newest first.',
      count: 'Number of hires in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { hires: [hireExample], count: 1 },
  })
