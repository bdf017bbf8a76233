import type { Job } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { afterFee as afterFeeOf } from '../../kit/amounts.ts'
import { formatNumber } from '../../locale.ts'

/** The role of a wallet in a job. */
export type Role = Job['role']

type Act = Job['actions'][number]['act']

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

/** Begins a sentence. */
export const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** Returns what of an amount an owner receives after the protocol fee of its job. */
export const afterFee = (amount: bigint, { feeBps }: Pick<Job, 'feeBps'>): bigint =>
  afterFeeOf(amount, feeBps)

/** Writes what an owner receives of an amount: `4.95 CRED (5 less 1% fee)`. */
export function afterFeeWords(amount: bigint, job: Pick<Job, 'feeBps'>): string {
  const net = afterFee(amount, job)
  return net === amount ? cred(amount) : `${cred(net)} (${formatCred(amount)} less ${job.feeBps / 100}% fee)`
}

type Shared = Pick<Job, 'price' | 'feeBps' | 'role'>

const agentGets = (job: Shared, amount: bigint): string =>
  `${job.role === 'agent' ? 'you get' : 'the agent gets'} ${afterFeeWords(amount, job)}`

const hirerGets = (job: Shared, amount: bigint): string =>
  `${job.role === 'hirer' ? 'you get back' : 'the hirer gets back'} ${cred(amount)}`

/** Says who gets what of a job's price if the agent gets an amount, to the reader; within a sentence. */
export function splitWords(job: Shared, agentAmount: bigint): string {
  const rest = job.price - agentAmount
  if (agentAmount === 0n) return hirerGets(job, rest)
  if (rest === 0n) return agentGets(job, agentAmount)
  return `${agentGets(job, agentAmount)}, ${hirerGets(job, rest)}`
}

/** Returns how much the hirer can get back now. A payment that came too late is returned whole. */
const toGetBack = ({ strays, price, hirerAmount = 0n }: Job): bigint =>
  strays.length > 0 ? price : hirerAmount

/** The acts that get money out of the escrow, as the reader's buttons name them. */
const PAYOUTS: Partial<Record<Act, (job: Job) => string>> = {
  refund: (job) => `Get back ${cred(toGetBack(job))}`,
  collect: (job) => `Collect ${cred(afterFee(job.agentAmount ?? 0n, job))}`,
}

/** The acts that a job waits for. */
const TURNS: Partial<Record<Act, (job: Job) => string>> = {
  accept: () => 'Accept or decline',
  fund: ({ price }) => `Pay ${cred(price)}`,
  deliver: () => 'Deliver',
  object: () => 'Approve or object',
  judge: () => 'Decide',
}

function firstOf(words: typeof TURNS, job: Job): string | undefined {
  const [, act] = Object.entries(words).find(([name]) => job.actions.some(({ act }) => act === name)) ?? []
  return act?.(job)
}

/** Returns the transaction by which the reader gets money out of a job now, in words. */
export const payoutOf = (job: Job): string | undefined => firstOf(PAYOUTS, job)

/** The states of a job that has not ended. */
type Running = 'open' | 'accepted' | 'funded' | 'delivered' | 'disputed'

/** Says for what a job that has not ended waits, if not for the reader. */
const WAITS: Record<Running, (job: Job) => string> = {
  open: () => 'The agent’s owner can accept',
  accepted: ({ role }) => (role === 'hirer' ? 'Your payment is being confirmed' : 'The hirer can pay'),
  funded: () => 'The agent delivers',
  delivered: () => 'The hirer can approve or object',
  disputed: ({ judge }) => (judge === 'none' ? 'Both sides can agree on a split' : 'The judge decides'),
}

/** Says how a job ends once the deadline of a state has passed. */
const DEFAULTS: Record<Running, (job: Job) => string> = {
  open: () => 'the order is cancelled',
  accepted: () => 'the order is cancelled',
  funded: (job) => splitWords(job, 0n),
  delivered: (job) => splitWords(job, job.price),
  disputed: (job) => splitWords(job, job.price / 2n),
}

const isRunning = (status: Job['status']): status is Running => status in WAITS

type Next = { words: string; isOwn: boolean; by: string | undefined; otherwise: string }

/** Returns the next act on a job, its deadline, and the default after it; undefined once it has ended. */
export function nextOf(job: Job): Next | undefined {
  const { status, dueAt: by } = job
  if (!isRunning(status)) return undefined
  const own = firstOf(TURNS, job)
  const words = own ?? WAITS[status](job)
  return { words, isOwn: own !== undefined, by, otherwise: DEFAULTS[status](job) }
}

const SIDES: Record<Role, string> = {
  hirer: 'The hirer',
  agent: 'The agent’s owner',
  judge: 'The judge',
}

/** Why a job has ended: who did what. */
const REASONS: Record<NonNullable<Job['endReason']>, readonly [by: Role | undefined, words: string]> = {
  withdrawn: ['hirer', 'withdrew the order.'],
  declined: ['agent', 'declined the order.'],
  queue_full: [undefined, 'The agent had too many orders.'],
  nobody_accepted: ['agent', 'did not accept in time.'],
  not_funded: ['hirer', 'did not pay in time.'],
  gave_up: ['agent', 'gave up.'],
  no_delivery: ['agent', 'did not deliver in time.'],
  approved: ['hirer', 'approved the delivery.'],
  review_time_over: ['hirer', 'did not object in time.'],
  conceded: ['agent', 'gave the price back.'],
  agreed: [undefined, 'Both sides agreed on a split.'],
  // Any judge of the service may have decided.
  judged: [undefined, 'The judge decided.'],
  no_verdict: [undefined, 'Nobody decided in time, so each side gets half.'],
  restored: [undefined, 'The money was paid out. The service has lost the record of how it ended.'],
}

/** Returns why a job has ended, to the reader; undefined while it has not. */
export function endWords({ endReason, role }: Pick<Job, 'endReason' | 'role'>): string | undefined {
  if (!endReason) return undefined
  const [by, words] = REASONS[endReason]
  return by ? `${by === role ? 'You' : SIDES[by]} ${words}` : words
}

/** Returns what the reader got of an ended job; undefined before, and without a part. */
export function gotWords(job: Job): string | undefined {
  const { role, agentAmount = 0n, hirerAmount = 0n } = job
  if (role === 'hirer' && job.refundedAt) return `You got back ${cred(hirerAmount)}.`
  if (role === 'agent' && job.paidAt) return `You collected ${cred(afterFee(agentAmount, job))}.`
  return undefined
}

/** Says who judges, and what happens if nobody does. */
export function judgeWords(judge: string, reader: Role): string {
  const objection = reader === 'hirer' ? 'if you object' : 'if the hirer objects'
  if (judge === 'none')
    return `No judge: ${objection}, both sides have 3 days to agree on a split. Otherwise each gets half.`
  const who =
    judge === 'deployment'
      ? `Any judge of this service can decide ${objection}. The service earns its fee only from what the agent gets.`
      : reader === 'judge'
        ? `The agent’s owner chose you as the judge: you decide ${objection}.`
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

const MIN_PAY_MINUTES = 60
const MAX_PAY_MINUTES = 4_320

/** Returns how many minutes a hirer has to pay after the acceptance: as long as for work, within limits. */
export const payMinutes = (workMinutes: number): number =>
  Math.max(MIN_PAY_MINUTES, Math.min(workMinutes, MAX_PAY_MINUTES))

/** Says what an act without further values does to the money. */
export const EFFECTS: Record<'accept' | 'end' | 'approve' | 'concede', (job: Job) => string> = {
  accept: (job) =>
    `You deliver within ${durationWords(job.workMinutes)} of the hirer’s payment. Unless the hirer objects, you can then collect ${afterFeeWords(job.price, job)}.`,
  end: (job) =>
    job.status === 'funded'
      ? `The job ends without a delivery: ${splitWords(job, 0n)}.`
      : 'The order ends. Nothing was paid, so no money moves.',
  approve: (job) => `The job ends: ${splitWords(job, job.price)}. You can no longer object.`,
  concede: (job) => `The job ends: ${splitWords(job, 0n)}. You get nothing.`,
}
