import type { Job } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { afterFee as afterFeeOf } from '../../kit/amounts.ts'
import { formatNumber } from '../../locale.ts'

/** What a wallet is to a job. */
export type Role = Job['role']

export const STATUSES: Record<Job['status'], { tone: 'good' | 'warn' | 'bad' | 'plain'; words: string }> = {
  open: { tone: 'plain', words: 'ordered' },
  accepted: { tone: 'warn', words: 'accepted' },
  funded: { tone: 'warn', words: 'in work' },
  delivered: { tone: 'warn', words: 'delivered' },
  disputed: { tone: 'bad', words: 'disputed' },
  completed: { tone: 'good', words: 'completed' },
  rejected: { tone: 'plain', words: 'rejected' },
  expired: { tone: 'plain', words: 'not delivered' },
  cancelled: { tone: 'plain', words: 'cancelled' },
}

const cred = (amount: bigint): string => `${formatCred(amount)} CRED`

/** The states of a job that has not ended. */
type Running = 'open' | 'accepted' | 'funded' | 'delivered' | 'disputed'

/** What a job that has not ended waits for, by the role of the reader. */
const WAITS: Record<Running, Record<Role, string>> = {
  open: {
    hirer: 'The agent’s owner can accept',
    agent: 'Accept or decline',
    judge: 'The agent’s owner can accept',
  },
  accepted: { hirer: 'Pay the price', agent: 'The hirer can pay', judge: 'The hirer can pay' },
  funded: { hirer: 'The agent delivers', agent: 'Deliver', judge: 'The agent delivers' },
  delivered: {
    hirer: 'Approve or object',
    agent: 'The hirer can approve or object',
    judge: 'The hirer can approve or object',
  },
  disputed: { hirer: 'The judge decides', agent: 'The judge decides', judge: 'Decide' },
}

/** What happens once the deadline of a state has passed. */
const DEFAULTS: Record<Running, (job: Job) => string> = {
  open: () => 'Otherwise the order is cancelled.',
  accepted: () => 'Otherwise the order is cancelled.',
  funded: ({ price }) => `Otherwise the hirer gets back ${cred(price)}.`,
  delivered: ({ price }) => `Otherwise the agent gets ${cred(price)}.`,
  disputed: ({ price }) =>
    `Otherwise the agent gets ${cred(price / 2n)} and the hirer ${cred(price - price / 2n)}.`,
}

const isRunning = (status: Job['status']): status is Running => status in WAITS

/** What a job waits for, until when, and what happens otherwise; undefined once it has ended. */
export function nextOf(
  job: Job,
): { words: string; until: string | undefined; otherwise: string } | undefined {
  const { status, role, judge, dueAt } = job
  if (!isRunning(status)) return undefined
  const words =
    status === 'disputed' && judge === 'none' ? 'Both sides can agree on a split' : WAITS[status][role]
  return { words, until: dueAt, otherwise: DEFAULTS[status](job) }
}

/** Why a job has ended. */
const REASONS: Record<NonNullable<Job['endReason']>, string> = {
  withdrawn: 'The hirer withdrew the order.',
  declined: 'The agent’s owner declined the order.',
  queue_full: 'The agent had too many orders.',
  nobody_accepted: 'The agent’s owner did not accept in time.',
  not_funded: 'The hirer did not pay in time.',
  gave_up: 'The agent’s owner gave up.',
  no_delivery: 'The agent did not deliver in time.',
  approved: 'The hirer approved the delivery.',
  review_time_over: 'The hirer did not object in time.',
  conceded: 'The agent’s owner gave the price back.',
  agreed: 'Both sides agreed on a split.',
  judged: 'The judge decided.',
  no_verdict: 'Nobody decided in time, so each side gets half.',
  restored: 'The money was paid out. The service has lost the record of how it ended.',
}

/** Returns why a job has ended; undefined while it has not. */
export const endWords = ({ endReason }: Pick<Job, 'endReason'>): string | undefined =>
  endReason && REASONS[endReason]

/**
 * Says who judges, and what happens if nobody does.
 * @param isOrdering whether the reader is about to be the hirer
 */
export function judgeWords(judge: string, isOrdering = false): string {
  const objection = isOrdering ? 'if you object' : 'if the hirer objects'
  if (judge === 'none')
    return `No judge: ${objection} and both sides agree on no split within 3 days, each gets half.`
  const who =
    judge === 'deployment'
      ? `A judge of this service decides ${objection}. The service earns its fee only from what the agent gets.`
      : `The agent’s owner chose this judge, who decides ${objection}.`
  return `${who} If nobody decides within 7 days, each gets half.`
}

/** Names a choice of judge. */
export function judgeName(judge: string): string {
  if (judge === 'none') return 'No judge'
  if (judge === 'deployment') return 'A judge of this service'
  return `${judge.slice(0, 4)}…${judge.slice(-4)}`
}

/** Writes minutes as their largest whole unit: `3 days`. */
export function durationWords(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns what of an amount an owner receives after the protocol fee of its job. */
export const afterFee = (amount: bigint, { feeBps }: Pick<Job, 'feeBps'>): bigint =>
  afterFeeOf(amount, feeBps)

/** Says what an act without further values does to the money. */
export const EFFECTS: Record<'accept' | 'end' | 'approve' | 'concede', (job: Job) => string> = {
  accept: (job) =>
    `You deliver within ${durationWords(job.workMinutes)} of the hirer’s payment. Unless the hirer objects, you then get ${cred(afterFee(job.price, job))}, after the fee.`,
  end: ({ status, price }) =>
    status === 'funded'
      ? `The job ends without a delivery, and the hirer gets back ${cred(price)}.`
      : 'The order ends. Nothing was paid, so no money moves.',
  approve: ({ price }) => `The job ends, and the agent gets ${cred(price)}. You can no longer object.`,
  concede: ({ price }) => `The job ends, and the hirer gets back ${cred(price)}. You get nothing.`,
}

/** Says who gets what of a price if the agent gets an amount. */
export const splitWords = (price: bigint, agentAmount: bigint): string =>
  `The agent gets ${cred(agentAmount)}, the hirer gets back ${cred(price - agentAmount)}.`
