import type { Cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import * as postgres from '../db/functions.ts'
import type { WorkDeps } from './deps.ts'
import { jobById } from './job-queries.ts'
import { requireJobs } from './post.ts'
import { callerOf, jobNotFound, type SeenJob, seenBy } from './read.ts'
import { settledAt } from './record-due.ts'
import { settleDeadline } from './settle-deadline.ts'

/** Who acts: the wallet of the session, and its grant, if it is a program's. */
type Actor = { wallet: Wallet; grant?: string | undefined }

type Outcome =
  | ('recorded' | 'recorded_before' | 'due' | 'job_not_found' | 'not_allowed' | 'foreign_job')
  | ('terms_differ' | 'not_accepting' | 'amount_too_high' | 'funding_open')
  | ('job_changed' | 'deadline_passed')

/** An act's decision in Postgres. */
type Decision = { outcome: Outcome; toNotify: string[]; dueAt?: Date | null }

/**
 * Does an act on a job, and reads the job after it. If the deadline has passed, it first settles the default,
 * or moves the deadline by the outages; then it tries the act again.
 */
async function act(
  deps: WorkDeps,
  id: string,
  { wallet }: Actor,
  decide: (item: ReturnType<typeof jobById.item>) => Promise<[Decision, SeenJob['job'][]]>,
): Promise<SeenJob> {
  let [decision, [job]] = await decide(jobById.item({ id }))
  if (decision.outcome === 'due') {
    await settleDeadline(deps, id)
    ;[decision, [job]] = await decide(jobById.item({ id }))
  }
  if (decision.outcome !== 'recorded' && decision.outcome !== 'recorded_before')
    throw rejected(decision.outcome)
  const seen = seenBy(job, callerOf(deps, wallet))
  deps.notify(decision.toNotify)
  const { dueAt, fundedAt } = seen.job
  if (decision.outcome === 'recorded' && dueAt)
    deps.schedule('deadlines', settledAt(dueAt, fundedAt !== null))
  return seen
}

const sentences = {
  not_allowed: ['permission_missing', 'This act is the other side’s, or the judge’s.'],
  foreign_job: ['foreign_job', 'Another program, or the wallet itself, ordered or accepted this job.'],
  terms_differ: ['terms_differ', 'The job’s termsHash is another one. Read the job again.'],
  not_accepting: ['not_accepting_jobs', 'An operator has suspended the agent, so it accepts no jobs.'],
  funding_open: ['funding_open', 'A funding of the job is signed. Wait for its outcome.'],
  job_changed: ['job_changed', 'The job’s state does not allow this. Read it again.'],
  due: ['deadline_passed', 'The deadline for this has passed.'],
  deadline_passed: ['deadline_passed', 'The deadline for this has passed.'],
} as const

function rejected(outcome: Exclude<Outcome, 'recorded' | 'recorded_before'>): ApiError {
  if (outcome === 'job_not_found') return jobNotFound()
  if (outcome === 'amount_too_high')
    return new ApiError('invalid_request', 'agentAmount is above the price of the job.', {
      errors: [{ path: 'agentAmount', message: 'must be at most the price' }],
    })
  const [code, detail] = sentences[outcome]
  return new ApiError(code, detail)
}

/** Accepts a job for its agent's owner, under the terms that it has read. @throws ApiError terms_differ */
export function acceptJob(deps: WorkDeps, id: string, actor: Actor, termsHash: string): Promise<SeenJob> {
  const { keyVersion } = deps
  requireJobs(keyVersion)
  return act(deps, id, actor, (read) =>
    postgres.acceptJob.callThenRead(deps.db, { id, ...actor, termsHash, keyVersion, now: deps.now }, read),
  )
}

/** Ends a job before its funding, for either side, or a funded one for the agent's owner. */
export const endJob = (deps: WorkDeps, id: string, actor: Actor): Promise<SeenJob> =>
  act(deps, id, actor, (read) =>
    postgres.endJob.callThenRead(deps.db, { id, wallet: actor.wallet, now: deps.now }, read),
  )

/** Delivers a funded job, once. */
export const deliverJob = (deps: WorkDeps, id: string, actor: Actor, delivery: string): Promise<SeenJob> =>
  act(deps, id, actor, (read) =>
    postgres.deliverJob.callThenRead(deps.db, { id, wallet: actor.wallet, delivery, now: deps.now }, read),
  )

/** Records the hirer's objection to a delivery. */
export const objectJob = (deps: WorkDeps, id: string, actor: Actor, reason: string): Promise<SeenJob> =>
  act(deps, id, actor, (read) =>
    postgres.objectJob.callThenRead(deps.db, { id, ...actor, reason, now: deps.now }, read),
  )

/** Ends a delivered or disputed job: the hirer approves it, the agent's owner concedes. */
export const decideJob = (
  deps: WorkDeps,
  id: string,
  actor: Actor,
  decision: 'approve' | 'concede',
): Promise<SeenJob> =>
  act(deps, id, actor, (read) =>
    postgres.decideJob.callThenRead(
      deps.db,
      { id, ...actor, isJudge: false, act: decision, now: deps.now },
      read,
    ),
  )

/** Decides a disputed job, as its judge. The wallet's own session only: a grant has no such permission. */
export const judgeJob = (
  deps: WorkDeps,
  id: string,
  wallet: Wallet,
  { agentAmount, reason }: { agentAmount: bigint; reason: string },
): Promise<SeenJob> =>
  act(deps, id, { wallet }, (read) =>
    postgres.decideJob.callThenRead(
      deps.db,
      {
        ...{ id, wallet, isJudge: deps.judges.has(wallet), act: 'judge', reason, now: deps.now },
        amount: agentAmount as Cred,
      },
      read,
    ),
  )

/** Proposes what the agent gets. Once both sides propose the same, the job ends with it. */
export const proposeSplit = (
  deps: WorkDeps,
  id: string,
  actor: Actor,
  agentAmount: bigint,
): Promise<SeenJob> =>
  act(deps, id, actor, (read) =>
    postgres.proposeSplit.callThenRead(
      deps.db,
      { id, ...actor, amount: agentAmount as Cred, now: deps.now },
      read,
    ),
  )
