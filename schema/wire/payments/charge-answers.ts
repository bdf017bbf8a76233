import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID, CHARGE_ID, HIRE_ID, OTHER_WALLET, WALLET } from '../../examples.ts'
import { chargeStates } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body, pageOf } from '../body.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const Charge = body(
  'Charge',
  'What an agent’s owner has charged for its work on a hire.',
  {
    id: [WireUuid, 'UUID.'],
    hireId: [WireUuid, 'The hire.'],
    agentId: [WireUuid, 'The agent.'],
    owner: [OwnText, 'Who is paid: the agent’s owner.'],
    hirer: [OwnText, 'The hirer, who pays.'],
    reference: [
      UserText,
      'The owner’s own name for it, unique for each agent. A repeated request returns the same charge.',
    ],
    amount: [WireAmount, 'The CRED due, in lamports (10^-9 CRED).'],
    units: [v.optional(WireAmount), 'The number of units that are charged, with flat and hybrid.'],
    capturedValue: [
      v.optional(WireAmount),
      'Lamports that the work brought the hirer, as the owner declares.',
    ],
    share: [v.optional(WireAmount), 'The part of the amount that is a share of capturedValue, in lamports.'],
    layer: [
      v.optional(v.pipe(v.number(), v.integer())),
      'The capture layer of the work: the number of its field, 1 to 22.',
    ],
    description: [v.optional(UserText), 'What it is for, in the owner’s words.'],
    periodStart: [Timestamp, 'The start of the period (one term of the hire) whose budget it uses.'],
    status: [
      v.picklist(chargeStates),
      'recorded (due), collecting (in a transaction that may still land), collected (paid), voided, or lapsed (not collected within 30 days after the hire ended).',
    ],
    createdAt: [Timestamp, 'When it was recorded.'],
    voidedAt: [v.optional(Timestamp), 'When it was voided.'],
    collectedAt: [v.optional(Timestamp), 'When it was paid.'],
    fee: [v.optional(WireAmount), 'Its part of the protocol fee, in lamports.'],
  },
  {
    id: CHARGE_ID,
    hireId: HIRE_ID,
    agentId: AGENT_ID,
    owner: OTHER_WALLET,
    hirer: WALLET,
    reference: 'job-1042',
    amount: 1_250_000_000,
    capturedValue: 25_000_000_000,
    layer: 17,
    periodStart: '2026-11-20T09:05:00.000Z',
    status: 'recorded',
    createdAt: '2026-11-21T10:00:00.000Z',
  },
)

export const chargeExample = exampleOf(Charge)

export const ChargeList = pageOf(
  ['ChargeList', 'charges', 'One page of charges.'],
  Charge,
  ['Newest first.', 'charges'],
  chargeExample,
)
