import {
  JOB_MINUTES,
  type JobEnd,
  type JobEndReason,
  type JobStatus,
  jobEndReasons,
} from '../../schema/values.ts'
import type { Outage } from '../clock/outages.ts'
import { HOUR_MS } from '../time.ts'

/*
 * The states of a job: who may do what, until when, and what each side gets. The function job_next of
 * Postgres decides; a test compares the two over all inputs.
 */

/** The hirer of a job, the owner of its agent, its judge; the service acts for the chain and the time. */
export type JobActor = 'hirer' | 'agent' | 'judge' | 'service'

/** What changes a job. The acts of the service are `yield`, `confirm`, `lapse` and `expire`. */
export type JobAct =
  | ('accept' | 'end' | 'fund' | 'deliver')
  | ('object' | 'approve' | 'concede' | 'judge' | 'propose')
  | ('yield' | 'confirm' | 'lapse' | 'expire')

/** What a job's next state depends on: columns of its row. */
export type Job = {
  status: JobStatus
  /** When the deadline of its state passes; null once it has ended. */
  dueAt: Date | null
  /** Lamports of CRED, as all amounts. */
  price: bigint
  acceptMinutes: number
  workMinutes: number
  reviewMinutes: number
  hasJudge: boolean
  /** Whether a funding is signed that may still be confirmed. */
  isFunding: boolean
  hirerProposal: bigint | null
  ownerProposal: bigint | null
  agentAmount: bigint | null
  hirerAmount: bigint | null
  endReason: JobEndReason | null
  endedAt: Date | null
}

type Step = {
  act: JobAct
  by: JobActor
  /** Of `judge` and `propose`: the agent's part of the price. */
  amount: bigint | null
  now: Date
}

/** Conditions of transitions, in words. */
const conditions = {
  'no funding is signed': ({ isFunding }: Job) => !isFunding,
  'a funding is signed': ({ isFunding }: Job) => isFunding,
  'it has a judge': ({ hasJudge }: Job) => hasJudge,
  'both propose the same amount': (job: Job, { by, amount }: Step) =>
    (by === 'hirer' ? job.ownerProposal : job.hirerProposal) === amount,
  'the deadline has passed': (job: Job, { now }: Step) => isDue(job, now),
}

type Transition = {
  from: readonly JobStatus[]
  act: JobAct
  by: readonly JobActor[]
  only?: keyof typeof conditions
  /** The next state. Without it, an act on a funded job ends it as `completed`, or `rejected` for 0. */
  to?: JobStatus | 'unchanged'
  /** What the agent gets at the end of a funded job; the hirer gets the rest. */
  agentGets?: 'nothing' | 'half' | 'the price' | 'the amount'
  reason?: JobEndReason
}

const FUNDED = ['funded', 'delivered', 'disputed'] as const

/** The table of states. The first row that fits an act decides. An act without a row is rejected. */
export const transitions: readonly Transition[] = [
  { from: ['open'], act: 'accept', by: ['agent'], to: 'accepted' },
  { from: ['open'], act: 'yield', by: ['service'], to: 'cancelled', reason: 'queue_full' },
  {
    from: ['open', 'accepted'],
    act: 'end',
    by: ['hirer'],
    only: 'no funding is signed',
    to: 'cancelled',
    reason: 'withdrawn',
  },
  {
    from: ['open', 'accepted'],
    act: 'end',
    by: ['agent'],
    only: 'no funding is signed',
    to: 'cancelled',
    reason: 'declined',
  },
  { from: ['accepted'], act: 'fund', by: ['hirer'], only: 'no funding is signed', to: 'unchanged' },
  { from: ['accepted'], act: 'confirm', by: ['service'], only: 'a funding is signed', to: 'funded' },
  { from: ['accepted'], act: 'lapse', by: ['service'], only: 'a funding is signed', to: 'unchanged' },
  { from: ['funded'], act: 'deliver', by: ['agent'], to: 'delivered' },
  { from: ['funded'], act: 'end', by: ['agent'], to: 'expired', agentGets: 'nothing', reason: 'gave_up' },
  { from: ['delivered'], act: 'object', by: ['hirer'], to: 'disputed' },
  {
    from: ['delivered', 'disputed'],
    act: 'approve',
    by: ['hirer'],
    agentGets: 'the price',
    reason: 'approved',
  },
  {
    from: ['delivered', 'disputed'],
    act: 'concede',
    by: ['agent'],
    agentGets: 'nothing',
    reason: 'conceded',
  },
  {
    from: ['disputed'],
    act: 'judge',
    by: ['judge'],
    only: 'it has a judge',
    agentGets: 'the amount',
    reason: 'judged',
  },
  {
    from: FUNDED,
    act: 'propose',
    by: ['hirer', 'agent'],
    only: 'both propose the same amount',
    agentGets: 'the amount',
    reason: 'agreed',
  },
  { from: FUNDED, act: 'propose', by: ['hirer', 'agent'], to: 'unchanged' },
  ...(
    [
      { from: ['open'], to: 'cancelled', reason: 'nobody_accepted' },
      { from: ['accepted'], to: 'cancelled', reason: 'not_funded' },
      { from: ['funded'], to: 'expired', agentGets: 'nothing', reason: 'no_delivery' },
      { from: ['delivered'], agentGets: 'the price', reason: 'review_time_over' },
      { from: ['disputed'], agentGets: 'half', reason: 'no_verdict' },
    ] as const
  ).map((row) => ({
    act: 'expire' as const,
    by: ['service'] as const,
    only: 'the deadline has passed' as const,
    ...row,
  })),
]

/** How long both sides have to fund and settle, in minutes. */
export const MIN_FUND_MINUTES = 60
export const MAX_FUND_MINUTES = 4_320
/** How long a judge has to decide; without a judge, how long both sides have to agree. */
export const DECIDE_MINUTES = 10_080
export const AGREE_MINUTES = 4_320

/** The deadline of each state that has one: its name, its minutes, and their limits in words. */
export const deadlines: Partial<
  Record<JobStatus, { name: string; since: string; words: string; minutes: (job: Job) => number }>
> = {
  open: {
    name: 'acceptBy',
    since: 'the order',
    words: `acceptMinutes, ${JOB_MINUTES.accept.min} to ${JOB_MINUTES.accept.max}`,
    minutes: ({ acceptMinutes }) => acceptMinutes,
  },
  accepted: {
    name: 'fundBy',
    since: 'the acceptance',
    words: `workMinutes, but ${MIN_FUND_MINUTES} to ${MAX_FUND_MINUTES}`,
    minutes: ({ workMinutes }) => Math.max(MIN_FUND_MINUTES, Math.min(workMinutes, MAX_FUND_MINUTES)),
  },
  funded: {
    name: 'deliverBy',
    since: 'the confirmed funding',
    words: `workMinutes, ${JOB_MINUTES.work.min} to ${JOB_MINUTES.work.max}`,
    minutes: ({ workMinutes }) => workMinutes,
  },
  delivered: {
    name: 'reviewBy',
    since: 'the delivery',
    words: `reviewMinutes, ${JOB_MINUTES.review.min} to ${JOB_MINUTES.review.max}`,
    minutes: ({ reviewMinutes }) => reviewMinutes,
  },
  disputed: {
    name: 'decideBy',
    since: 'the objection',
    words: `${DECIDE_MINUTES}; without a judge ${AGREE_MINUTES}`,
    minutes: ({ hasJudge }) => (hasJudge ? DECIDE_MINUTES : AGREE_MINUTES),
  },
}

/** Whether the deadline of a job's state has passed. A signed funding keeps a job until its outcome. */
export const isDue = ({ dueAt, isFunding }: Job, now: Date): boolean =>
  dueAt !== null && dueAt <= now && !isFunding

/** Returns the job after an act; undefined if it is rejected. Nobody acts once the deadline has passed. */
export function nextJob(job: Job, step: Step): Job | undefined {
  const { act, by, amount, now } = step
  if (by !== 'service' && isDue(job, now)) return undefined
  const row = transitions.find(
    (row) =>
      row.act === act &&
      row.from.includes(job.status) &&
      row.by.includes(by) &&
      (row.only === undefined || conditions[row.only](job, step)),
  )
  if (row === undefined) return undefined
  const isNamed = act === 'judge' || act === 'propose'
  if (isNamed && (amount === null || amount < 0n || amount > job.price)) return undefined
  if (row.to === 'unchanged') return unchanged(job, step)
  const left = { ...job, isFunding: false, hirerProposal: null, ownerProposal: null }
  const agentAmount = row.agentGets === undefined ? null : amountOf(row.agentGets, job.price, amount)
  const status = row.to ?? (agentAmount === 0n ? 'rejected' : 'completed')
  if (!isEnd(status)) {
    const minutes = deadlines[status]?.minutes(job) ?? 0
    return { ...left, status, dueAt: new Date(now.getTime() + minutes * 60_000) }
  }
  return {
    ...left,
    status,
    dueAt: null,
    agentAmount,
    hirerAmount: agentAmount === null ? null : job.price - agentAmount,
    endReason: row.reason ?? null,
    endedAt: act === 'expire' ? job.dueAt : now,
  }
}

const isEnd = (status: JobStatus): status is JobEnd => status in jobEndReasons

/** Returns the job after an act that leaves its state: a funding's begin or failure, a proposal. */
function unchanged(job: Job, { act, by, amount }: Step): Job {
  if (act === 'propose') return { ...job, [by === 'hirer' ? 'hirerProposal' : 'ownerProposal']: amount }
  return { ...job, isFunding: act === 'fund' }
}

function amountOf(part: Transition['agentGets'], price: bigint, amount: bigint | null): bigint {
  if (part === 'the price') return price
  if (part === 'half') return price / 2n
  return part === 'the amount' && amount !== null ? amount : 0n
}

/** The least time between the end of an outage and a deadline that it has moved. */
export const AFTER_OUTAGE_MS = HOUR_MS

/**
 * Returns a deadline after the outages that began before it, one after the other. Each moves it by its
 * length, and to AFTER_OUTAGE_MS after its end at least. The function moved_deadline of Postgres computes the
 * same.
 * @param countedAt the outages up to this time have moved it already
 */
export function movedDeadline(dueAt: Date, countedAt: Date, outages: readonly Outage[]): Date {
  const counted = countedAt.getTime()
  let due = dueAt.getTime()
  for (const { from, until } of outages.toSorted((a, b) => a.from - b.from)) {
    if (until > counted && from < due)
      due = Math.max(due + until - Math.max(from, counted), until + AFTER_OUTAGE_MS)
  }
  return new Date(due)
}

/** Days from a job's end to the deletion of its texts, and of its row unless it was funded. */
export const KEPT_DAYS = 30
/** The same for an order that nobody accepted. */
export const UNACCEPTED_KEPT_DAYS = 7

/** The most unfunded jobs of a hirer, of a wallet that never paid, and the most that have not ended. */
export const UNFUNDED_JOBS = 20
export const UNFUNDED_JOBS_UNPAID = 5
export const UNENDED_JOBS = 200
/** The most orders that wait for an agent's acceptance. Beyond, another one yields. */
export const QUEUED_JOBS = 50
