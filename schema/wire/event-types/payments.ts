import * as v from 'valibot'
import { BUDGET_ACCOUNT, CHARGE_ID, HIRE_ID, OTHER_WALLET, TRANSACTION_ID, WALLET } from '../../examples.ts'
import { chargeStatuses } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Period, Timestamp, WireAmount, WireUuid } from '../common.ts'
import { hireExample } from '../hires.ts'
import { aboutAgent, BOTH_SIDES, exampleAgent, row } from './row.ts'

/** A charge after the event. `status` is the stored one (values.ts); reads show more states. */
const chargeData = () =>
  v.strictObject({
    chargeId: WireUuid,
    hireId: WireUuid,
    ...aboutAgent(),
    owner: OwnText,
    hirer: OwnText,
    reference: UserText,
    amount: WireAmount,
    units: v.optional(WireAmount),
    capturedValue: v.optional(WireAmount),
    share: v.optional(WireAmount),
    layer: v.optional(v.pipe(v.number(), v.integer())),
    description: v.optional(UserText),
    status: v.picklist(chargeStatuses),
    createdAt: Timestamp,
    fee: v.optional(WireAmount),
  })

/** The budget of a hire's period after the charge that caused the event; unchanged if it was rejected. */
const budgetData = () =>
  v.strictObject({
    hireId: WireUuid,
    ...aboutAgent(),
    owner: OwnText,
    hirer: OwnText,
    budgetLimit: WireAmount,
    spent: WireAmount,
    remaining: WireAmount,
    period: Period,
  })

/** A hirer's deposit into a hire's budget account, or withdrawal from it. */
const budgetMoved = () => ({
  hireId: WireUuid,
  ...aboutAgent(),
  owner: OwnText,
  hirer: OwnText,
  transactionId: WireUuid,
  address: OwnText,
  amount: WireAmount,
})

const charge = () => ({
  chargeId: CHARGE_ID,
  hireId: HIRE_ID,
  ...exampleAgent,
  owner: OTHER_WALLET,
  hirer: WALLET,
  reference: 'job-1042',
  amount: 1_250_000_000,
  capturedValue: 25_000_000_000,
  layer: 17,
  status: 'recorded' as const,
  createdAt: '2026-11-21T10:00:00.000Z',
})

export const chargeEvents = {
  'charge.recorded': row({
    data: chargeData(),
    words: { meaning: 'The agent’s owner recorded a charge for its work.', log: BOTH_SIDES, ofAgent: true },
    example: { timestamp: charge().createdAt, data: charge() },
  }),
  'charge.voided': row({
    data: chargeData(),
    words: {
      meaning: 'The agent’s owner voided a charge. Its amount returned to the budget of its period.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: { timestamp: '2026-11-22T10:00:00.000Z', data: { ...charge(), status: 'voided' } },
  }),
  'charge.collected': row({
    data: chargeData(),
    words: {
      meaning: 'A charge was paid from the hire’s budget account; `fee` of it went to the treasury.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-22T10:00:00.000Z',
      data: { ...charge(), status: 'collected', fee: 12_500_000 },
    },
  }),
}

const budget = () => ({
  hireId: HIRE_ID,
  ...exampleAgent,
  owner: OTHER_WALLET,
  hirer: WALLET,
  budgetLimit: hireExample.budgetLimit ?? 0,
  spent: 4_250_000_000,
  remaining: 750_000_000,
  period: { start: hireExample.hiredAt, end: hireExample.expiresAt },
})

const moved = () => ({
  hireId: HIRE_ID,
  ...exampleAgent,
  owner: OTHER_WALLET,
  hirer: WALLET,
  transactionId: TRANSACTION_ID,
  address: BUDGET_ACCOUNT,
  amount: 5_000_000_000,
})

export const budgetEvents = {
  'budget.low': row({
    data: budgetData(),
    words: {
      meaning: 'Four fifths of a hire’s budget for this period are spent. Sent once per period.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: { timestamp: charge().createdAt, data: budget() },
  }),
  'budget.exhausted': row({
    data: budgetData(),
    words: {
      meaning:
        'A hire’s budget for this period is used up, or a charge that exceeds the rest was rejected and `spent` is unchanged. Sent once per period.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-23T10:00:00.000Z',
      data: { ...budget(), spent: hireExample.budgetLimit ?? 0, remaining: 0 },
    },
  }),
  'budget.funded': row({
    data: v.strictObject({ ...budgetMoved(), transactionId: v.optional(WireUuid) }),
    words: {
      meaning:
        'The hirer put CRED into the hire’s budget account. Without `transactionId`, the service found the deposit on the chain.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: { timestamp: '2026-11-20T10:00:00.000Z', data: moved() },
  }),
  'budget.withdrawn': row({
    data: v.strictObject(budgetMoved()),
    words: {
      meaning: 'The hirer emptied the hire’s budget account.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: { timestamp: '2026-11-24T10:00:00.000Z', data: moved() },
  }),
}
