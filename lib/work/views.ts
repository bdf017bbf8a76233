import type { JobAct, JobRole } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { Job as JobAnswer } from '../../schema/wire/jobs.ts'
import { answer } from '../answer.ts'
import type { StoredJob } from './job-queries.ts'
import { type Job, nextJob, type JobAct as RuleAct, transitions } from './rules.ts'

/** Who asks: its wallet, and whether it is a judge of the deployment. */
export type Caller = { wallet: Wallet; isJudge: boolean }

/** Returns the caller's part in a job; undefined for a stranger. A side never judges. */
export function roleIn(
  job: Pick<StoredJob, 'hirer' | 'owner' | 'judge'>,
  caller: Caller,
): JobRole | undefined {
  if (caller.wallet === job.hirer) return 'hirer'
  if (caller.wallet === job.owner) return 'agent'
  const judges = caller.wallet === job.judge || (job.judge === 'deployment' && caller.isJudge)
  return judges ? 'judge' : undefined
}

const deadlineNames = {
  open: 'acceptBy',
  accepted: 'fundBy',
  funded: 'deliverBy',
  delivered: 'reviewBy',
  disputed: 'decideBy',
} as const

/** Returns the row of a job as one of its parties sees it at `now`. */
export function jobRow(job: StoredJob, role: JobRole, now: Date) {
  const deadline = (status: keyof typeof deadlineNames) => (job.status === status ? job.dueAt : null)
  return {
    ...job,
    role,
    salt: role === 'judge' ? null : job.salt,
    acceptBy: deadline('open'),
    fundBy: deadline('accepted'),
    deliverBy: deadline('funded'),
    reviewBy: deadline('delivered'),
    decideBy: deadline('disputed'),
    agentProposal: job.ownerProposal,
    actions: [...actsOf(job, role, now).map((act) => ({ act, until: job.dueAt })), ...payouts(job, role)],
  }
}

/** Makes the answer for one job. */
export const jobView = (job: StoredJob, role: JobRole, now: Date) => answer(JobAnswer, jobRow(job, role, now))

const actsOfRole = (role: JobRole) => [
  ...new Set(transitions.filter(({ by }) => by.includes(role)).map(({ act }) => act)),
]

/** The acts that the rules allow a party at `now`. */
function actsOf(job: StoredJob, role: JobRole, now: Date): JobAct[] {
  const before: Job = { ...job, hasJudge: job.judge !== 'none' }
  const isAllowed = (act: RuleAct) => nextJob(before, { act, by: role, amount: 0n, now }) !== undefined
  return actsOfRole(role).filter(isAllowed) as JobAct[]
}

/** The transactions by which a party can get money now. They have no deadline. */
function payouts(job: StoredJob, role: JobRole): { act: JobAct; until: null }[] {
  const acts: JobAct[] = []
  const isOwed = (amount: bigint | null, paidAt: Date | null) => (amount ?? 0n) > 0n && paidAt === null
  const isRefundDue = isOwed(job.hirerAmount, job.refundedAt)
  const isPaymentDue = isOwed(job.agentAmount, job.paidAt)
  if (role === 'hirer' && (isRefundDue || job.strays.length > 0)) acts.push('refund')
  const isEmpty = job.endedAt !== null && !isRefundDue && !isPaymentDue
  if (role === 'hirer' && job.escrow !== null && isEmpty && job.escrowClosedAt === null) acts.push('close')
  if (role === 'agent' && isPaymentDue) acts.push('collect')
  return acts.map((act) => ({ act, until: null }))
}
