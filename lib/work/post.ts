import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { JobRequest } from '../../schema/wire/jobs.ts'
import { agentNotFound } from '../agents/errors.ts'
import { ApiError } from '../api-error.ts'
import * as postgres from '../db/functions.ts'
import { addressHash } from '../quotas/address.ts'
import { tooManyJobs } from '../quotas/errors.ts'
import type { WorkDeps } from './deps.ts'
import { jobByReference, type StoredJob } from './job-queries.ts'
import { settledAt } from './record-due.ts'
import { QUEUED_JOBS, UNENDED_JOBS, UNFUNDED_JOBS, UNFUNDED_JOBS_UNPAID } from './rules.ts'
import { newSalt, termsHashOf } from './terms.ts'

/**
 * Orders a job of an agent. A repeated request returns the same job.
 * @param address the client address that the order counts against
 * @param grant the id of the session's grant, which may decide about the job
 * @returns the job, and whether it is new
 * @throws ApiError jobs_off, agent_not_found, own_agent, not_accepting_jobs, judge_not_listed, terms_not_met,
 *   job_differs
 * @throws ApiError quota_exceeded while the wallet has too many jobs; rate_limited above the address's limit
 */
export async function postJob(
  { db, now, notify, schedule, minPrice, feeBps, judges, jobsPerAddress, keyVersion }: WorkDeps,
  hirer: Wallet,
  input: InferOutput<typeof JobRequest>,
  address: string,
  grant?: string,
): Promise<{ job: StoredJob; isNew: boolean }> {
  requireJobs(keyVersion)
  const isJudged = input.judge !== 'deployment' || [...judges].some((judge) => judge !== hirer)
  if (!isJudged) throw judgeNotListed('must be another one: you are this service’s only judge')
  const salt = newSalt()
  const terms = { ...input, inputHash: input.inputHash ?? null, hirer, feeBps, salt }
  const [{ outcome, dueAt, toNotify }, [job]] = await postgres.postJob.callThenRead(
    db,
    {
      ...input,
      ...{ id: uuidv7({ msecs: now.getTime() }), hirer, grant, minPrice, feeBps, salt, now, jobsPerAddress },
      price: input.price as Cred,
      termsHash: await termsHashOf(terms),
      addressHash: await addressHash('jobs', address),
    },
    jobByReference.item({ hirer, reference: input.reference }),
  )
  switch (outcome) {
    case 'recorded':
    case 'recorded_before':
      if (!job) throw new Error('the recorded job is missing')
      notify(toNotify)
      if (outcome === 'recorded' && dueAt) schedule('deadlines', settledAt(dueAt, false))
      return { job, isNew: outcome === 'recorded' }
    case 'job_differs':
      throw new ApiError('job_differs', 'You have ordered a job with this reference and other details.')
    case 'agent_not_found':
      throw agentNotFound()
    case 'own_agent':
      throw new ApiError('own_agent', 'The agent is yours. Only others can order jobs of it.')
    case 'not_accepting':
      throw new ApiError('not_accepting_jobs', 'The agent takes no jobs now.')
    case 'queue_full':
      throw new ApiError(
        'not_accepting_jobs',
        `The agent has ${QUEUED_JOBS} orders waiting. Try again later.`,
      )
    case 'judge_not_listed':
      throw judgeNotListed()
    case 'terms_not_met':
      throw new ApiError(
        'terms_not_met',
        'The price or the time is less than the agent’s terms allow. Read its jobTerms.',
        {
          errors: [
            { path: 'price', message: `must be at least the agent’s minPrice, and at least ${minPrice}` },
            { path: 'workMinutes', message: 'must be at least the agent’s workMinutes' },
          ],
        },
      )
    case 'too_many_unended':
      throw new ApiError(
        'quota_exceeded',
        `A wallet has at most ${UNFUNDED_JOBS} unfunded jobs (${UNFUNDED_JOBS_UNPAID} before its first payment) and ${UNENDED_JOBS} that have not ended. End one first.`,
      )
    case 'too_many_jobs':
      throw tooManyJobs(jobsPerAddress, now)
  }
}

/**
 * Checks that the deployment takes jobs.
 * @throws ApiError jobs_off
 */
export function requireJobs(keyVersion: number | undefined): asserts keyVersion is number {
  if (keyVersion === undefined) throw new ApiError('jobs_off', 'This service takes no new jobs now.')
}

const judgeNotListed = (message = 'must be one of the agent’s judges, and no side of the job') =>
  new ApiError('judge_not_listed', 'The agent’s terms don’t offer this judge for this job.', {
    errors: [{ path: 'judge', message }],
  })
