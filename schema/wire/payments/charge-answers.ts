import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, CHARGE_ID, HIRE_ID, OTHER_WALLET, WALLET } from '../../examples.ts'
import { chargeStates } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const Charge = v.strictObject({
  id: WireUuid,
  hireId: WireUuid,
  agentId: WireUuid,
  owner: OwnText,
  hirer: OwnText,
  reference: UserText,
  amount: WireAmount,
  units: v.optional(WireAmount),
  capturedValue: v.optional(WireAmount),
  share: v.optional(WireAmount),
  layer: v.optional(v.pipe(v.number(), v.integer())),
  description: v.optional(UserText),
  periodStart: Timestamp,
  status: v.picklist(chargeStates),
  createdAt: Timestamp,
  voidedAt: v.optional(Timestamp),
  collectedAt: v.optional(Timestamp),
  fee: v.optional(WireAmount),
})

export const chargeExample: v.InferInput<typeof Charge> = {
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
}

describe(Charge, {
  name: 'Charge',
  description: 'What an agent’s owner has charged for its work on a hire.',
  fields: {
    id: 'UUID.',
    hireId: 'The hire.',
    agentId: 'The agent.',
    owner: 'Who is paid: the agent’s owner.',
    hirer: 'The hirer, who pays.',
    reference:
      'The owner’s own name for it, unique for each agent. A repeated request returns the same charge.',
    amount: 'The CRED due, in lamports (10^-9 CRED).',
    units: 'The number of units that are charged, with flat and hybrid.',
    capturedValue: 'Lamports that the work brought the hirer, as the owner declares.',
    share: 'The part of the amount that is a share of capturedValue, in lamports.',
    layer: 'The capture layer of the work: the number of its field, 1 to 22.',
    description: 'What it is for, in the owner’s words.',
    periodStart: 'The start of the period (one term of the hire) whose budget it uses.',
    status:
      'recorded (due), collecting (in a transaction that may still land), collected (paid), voided, or lapsed (not collected within 30 days after the hire ended).',
    createdAt: 'When it was recorded.',
    voidedAt: 'When it was voided.',
    collectedAt: 'When it was paid.',
    fee: 'Its part of the protocol fee, in lamports.',
  },
  example: chargeExample,
})

export const ChargeList = v.strictObject({
  charges: v.array(Charge),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(ChargeList, {
  name: 'ChargeList',
  description: 'One page of charges.',
  fields: {
    charges: 'Newest first.',
    count: 'Number of charges on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { charges: [chargeExample], count: 1 },
})
