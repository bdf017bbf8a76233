import * as v from 'valibot'
import { describe } from '../docs.ts'
import { AGENT_ID } from '../examples.ts'
import { figure } from '../figures.ts'
import { chargeRoles, MAX_SUMMED_CHARGES, paidKinds, TOTALS_AGENTS, TOTALS_MONTHS } from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Count, WireAmount, WireUuid } from './common.ts'

/** Query of GET /payments/totals. */
export const PaymentTotalsQuery = parameters(
  { role: [v.picklist(chargeRoles), 'Your side: `owner` of the agents, or `hirer`.'] },
  { role: 'owner' },
)

const sum = {
  kind: v.picklist(paidKinds),
  asset: v.optional(OwnText),
  payments: Count,
  amount: WireAmount,
  fee: v.optional(WireAmount),
  debit: v.optional(WireAmount),
}

const meanings = {
  kind: '`charge` (paid charges), `request` (settled payments for requests) or `job` (paid parts of jobs).',
  asset: 'The mint of another coin; absent for CRED.',
  payments: 'Number of payments.',
  amount: 'Their sum, in the smallest units of the coin.',
  fee: 'Of charges and jobs: the part of the amount that is the protocol fee. The owner receives the rest.',
  debit: 'Of requests, for the owner: the credit that they used, in lamports of CRED.',
}

const example = { kind: 'charge', payments: 4, amount: 5_000_000_000, fee: 50_000_000 } as const

const PaymentSum = v.strictObject(sum)
describe(PaymentSum, {
  name: 'PaymentSum',
  description: 'The sum of payments of one kind in one coin.',
  fields: meanings,
  example,
})

const MonthSum = v.strictObject({ month: OwnText, ...sum })
describe(MonthSum, {
  name: 'PaymentMonth',
  description: 'The sum of a month’s payments of one kind in one coin.',
  fields: {
    month: 'The month in UTC, such as 2026-11. A charge or a job counts when it is paid.',
    ...meanings,
  },
  example: { month: '2026-11', ...example },
})

const AgentSum = v.strictObject({ agentId: WireUuid, agentName: UserText, ...sum, thisMonth: WireAmount })
describe(AgentSum, {
  name: 'PaymentAgent',
  description: 'The sum of an agent’s payments of one kind in one coin.',
  fields: {
    agentId: 'The agent.',
    agentName: 'The agent’s name.',
    ...meanings,
    thisMonth:
      'What its owner received in this month, in UTC, without the protocol fee; of a hirer, what it paid.',
  },
  example: { agentId: AGENT_ID, agentName: 'Yield Scout', ...example, thisMonth: 1_237_500_000 },
})

export const PaymentTotals = body(
  'PaymentTotals',
  'What a wallet’s agents were paid, or what it has paid, and what is due. Paid sums are exact over the whole history.',
  {
    role: [v.picklist(chargeRoles), 'The side.'],
    kinds: [v.array(PaymentSum), 'Everything that was paid, by kind and coin.'],
    months: [
      v.array(MonthSum),
      `The last ${TOTALS_MONTHS} months including this one, newest first. A month without payments is left out.`,
    ],
    agents: [
      v.array(AgentSum),
      `Everything that was paid, by agent, kind and coin: the ${TOTALS_AGENTS} largest sums of CRED first.`,
    ],
    unpaid: [WireAmount, 'Lamports of CRED that were charged and are neither collected nor lapsed.'],
    unpaidCharges: [Count, 'Number of these charges.'],
    funded: [
      WireAmount,
      'The part of `unpaid` on hires whose hirer has put CRED into a hire budget that can still be collected from, as far as the service knows without asking the chain.',
    ],
    hasMore: [
      v.boolean(),
      `Whether there are more than ${figure(MAX_SUMMED_CHARGES)} unpaid charges. Then the three fields before this one count only the newest.`,
    ],
    jobsHeld: [WireAmount, 'The prices in the escrows of jobs that have not ended.'],
    jobsDue: [
      WireAmount,
      'What the escrows of ended jobs owe to this side: POST /payments/jobs/collect, or /refund for a hirer. GET /jobs with `due=true` lists these jobs.',
    ],
    jobsDueFee: [
      v.optional(WireAmount),
      'Of an owner: the part of `jobsDue` that is the protocol fee. The owner receives the rest.',
    ],
  },
  {
    role: 'owner',
    kinds: [example],
    months: [{ month: '2026-11', ...example }],
    agents: [{ agentId: AGENT_ID, agentName: 'Yield Scout', ...example, thisMonth: 1_237_500_000 }],
    unpaid: 1_250_000_000,
    unpaidCharges: 1,
    funded: 1_250_000_000,
    jobsHeld: 20_000_000_000,
    jobsDue: 5_000_000_000,
    jobsDueFee: 50_000_000,
    hasMore: false,
  },
)
