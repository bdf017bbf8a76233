import * as v from 'valibot'
import { JOB_ID, OTHER_WALLET, TRANSACTION_ID, WALLET } from '../../examples.ts'
import { jobEndReasons, jobStatuses } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Integer, Timestamp, WireAmount, WireUuid } from '../common.ts'
import { aboutAgent, BOTH_SIDES, exampleAgent, row } from './row.ts'

const sides = () => ({ jobId: WireUuid, ...aboutAgent(), owner: OwnText, hirer: OwnText })

/** A job after the event, without its texts. */
const jobData = () =>
  v.strictObject({
    ...sides(),
    judge: UserText,
    price: WireAmount,
    feeBps: Integer(0, 10_000),
    status: v.picklist(jobStatuses),
    dueAt: v.optional(Timestamp),
    endReason: v.optional(v.picklist(Object.values(jobEndReasons).flat())),
    agentAmount: v.optional(WireAmount),
    hirerAmount: v.optional(WireAmount),
  })

/** A transaction that took CRED out of a job's escrow, or put it into another account. */
const moneyMoved = () => ({ ...sides(), transactionId: WireUuid, amount: WireAmount })

const example = { jobId: JOB_ID, ...exampleAgent, owner: OTHER_WALLET, hirer: WALLET }
const job = { ...example, judge: 'deployment', price: 20_000_000_000, feeBps: 100 }
const moved = { ...example, transactionId: TRANSACTION_ID, amount: 20_000_000_000 }

const ofBothSides = (meaning: string) => ({ meaning, log: BOTH_SIDES, ofAgent: true })

/** Events of states before the funding, and of those after it that are no money. */
export const jobEvents = {
  'job.posted': row({
    data: jobData(),
    words: ofBothSides('A job was ordered from the agent. `dueAt` is the last time to accept it.'),
    example: {
      timestamp: '2026-11-20T09:00:00.000Z',
      data: { ...job, status: 'open', dueAt: '2026-11-23T09:00:00.000Z' },
    },
  }),
  'job.accepted': row({
    data: jobData(),
    words: ofBothSides('The agent’s owner accepted a job. `dueAt` is the last time to fund it.'),
    example: {
      timestamp: '2026-11-20T10:00:00.000Z',
      data: { ...job, status: 'accepted', dueAt: '2026-11-23T10:00:00.000Z' },
    },
  }),
  'job.cancelled': row({
    data: jobData(),
    words: ofBothSides('A job ended before it was funded, for its `endReason`.'),
    example: {
      timestamp: '2026-11-20T11:00:00.000Z',
      data: { ...job, status: 'cancelled', endReason: 'declined' },
    },
  }),
  'job.delivered': row({
    data: jobData(),
    words: ofBothSides(
      'The agent delivered its work. `dueAt` is the last time to object; then the agent is paid.',
    ),
    example: {
      timestamp: '2026-11-22T10:00:00.000Z',
      data: { ...job, status: 'delivered', dueAt: '2026-11-25T10:00:00.000Z' },
    },
  }),
  'job.disputed': row({
    data: jobData(),
    words: ofBothSides(
      'The hirer objected to a delivery. Without a decision until `dueAt` each side gets half.',
    ),
    example: {
      timestamp: '2026-11-23T10:00:00.000Z',
      data: { ...job, status: 'disputed', dueAt: '2026-11-30T10:00:00.000Z' },
    },
  }),
  'job.extended': row({
    data: jobData(),
    words: ofBothSides('The deadline of a job moved to `dueAt`, because the service had an outage.'),
    example: {
      timestamp: '2026-11-25T12:00:00.000Z',
      data: { ...job, status: 'delivered', dueAt: '2026-11-25T13:00:00.000Z' },
    },
  }),
  'job.verdict_requested': row({
    data: jobData(),
    words: {
      meaning: 'A job is disputed, and its terms name this wallet as the judge. Decide until `dueAt`.',
      log: 'the judge’s',
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-23T10:00:00.000Z',
      data: {
        ...job,
        judge: '4Nd1mYwqcmXyFuvGpLvMSpFQ8ZDVDsdjh1zrHcRkAsQv',
        status: 'disputed',
        dueAt: '2026-11-30T10:00:00.000Z',
      },
    },
  }),
}

/** Events of a job's money. */
export const jobMoneyEvents = {
  'job.funded': row({
    data: jobData(),
    words: ofBothSides(
      'The price of a job is in its escrow, so the agent may begin. `dueAt` is the last time to deliver.',
    ),
    example: {
      timestamp: '2026-11-20T12:00:00.000Z',
      data: { ...job, status: 'funded', dueAt: '2026-11-23T12:00:00.000Z' },
    },
  }),
  'job.ended': row({
    data: jobData(),
    words: ofBothSides(
      'A funded job ended, for its `endReason`. `agentAmount` and `hirerAmount` are due to the two sides; the agent’s owner receives its part less the fee of `feeBps`.',
    ),
    example: {
      timestamp: '2026-11-23T11:00:00.000Z',
      data: {
        ...job,
        status: 'completed',
        endReason: 'approved',
        agentAmount: 20_000_000_000,
        hirerAmount: 0,
      },
    },
  }),
  'job.paid': row({
    data: v.strictObject({ ...moneyMoved(), fee: WireAmount }),
    words: ofBothSides(
      'The agent’s part of a job was paid from its escrow; `fee` of `amount` went to the treasury.',
    ),
    example: { timestamp: '2026-11-23T12:00:00.000Z', data: { ...moved, fee: 200_000_000 } },
  }),
  'job.refunded': row({
    data: v.strictObject(moneyMoved()),
    words: ofBothSides('The hirer got back its part of a job from the escrow.'),
    example: { timestamp: '2026-11-23T12:00:00.000Z', data: moved },
  }),
  'job.stray': row({
    data: v.strictObject(moneyMoved()),
    words: ofBothSides('A funding that a job no longer waited for was confirmed. All of it is the hirer’s.'),
    example: { timestamp: '2026-11-23T12:00:00.000Z', data: moved },
  }),
}
