import { AgentCredError } from './error.ts'
import type { at, TransactOptions } from './flow.ts'
import type { Event, Job, PaymentTransaction } from './generated/types.ts'
import type { AnyRequest, Call, CallOptions, RequestOf } from './operations.ts'
import type { FlowDeps, pay, requireWallet } from './transact.ts'
import type { JobOrder, SeenJob } from './verify/order.ts'
import { termsHashOf } from './verify/terms.ts'

/*
 * The flows of jobs, which are loaded when one is called. They are given the flows of the client: what two
 * files import would be loaded as a third one.
 */

export type JobFlows = { pay: typeof pay; requireWallet: typeof requireWallet; at: typeof at }

/**
 * Accepts a job under the terms in `job`, as the caller read them.
 * @throws AgentCredError `job_unexpected` if they don't have the job's hash
 */
export async function acceptJob(call: Call, job: SeenJob, signal?: AbortSignal): Promise<Job> {
  const termsHash = termsHashOf(job)
  return call('POST /jobs/{id}/accept', { path: { id: job.id }, body: { termsHash }, signal })
}

/** A job to fund, and what it is compared with before anything is built. */
export type JobFunding = {
  /** The job with all its terms, as your user saw and approved them. */
  job: SeenJob
  /** What you ordered. Without it the host chose the terms in `job`: show them to your user first. */
  order?: JobOrder | undefined
  /** The wallet of the agent's owner, as your user saw it when ordering. */
  owner?: string | undefined
  /** The text whose hash was posted as `inputHash`. */
  input?: string | undefined
}

/** The most fundings of a job that are built until a node sees the refund account. */
const MAX_FUNDINGS = 4
const SEEN_AFTER_MS = 2_000

/**
 * Funds a job as {@link pay} does. It first opens the wallet's refund account, an additional transaction, if
 * the wallet has none of the job's key version. The client computes the hash of the terms, which the
 * transaction has.
 * @throws AgentCredError `job_unexpected` if the job is not the ordered one, or its hash is of other terms
 */
export async function fundJob(
  { pay, requireWallet, at, ...deps }: FlowDeps & JobFlows,
  { job, input, ...expected }: JobFunding,
  flow: TransactOptions = {},
): Promise<PaymentTransaction> {
  const { id: jobId, price, owner } = job
  const hirer = requireWallet(deps).publicKey
  const termsHash = await at('build', undefined, async () => termsHashOf(job, { ...expected, hirer }))
  const order = { jobId, ...(input !== undefined && { input }) }
  const fund = () => pay(deps, 'POST /payments/jobs/fund', order, flow, { price, owner, termsHash })
  for (let builds = 1; ; builds += 1) {
    try {
      return await fund()
    } catch (error) {
      const isMissing = error instanceof AgentCredError && error.code === 'refund_account_missing'
      if (!isMissing || builds === MAX_FUNDINGS) throw error
    }
    if (builds === 1) await pay(deps, 'POST /payments/jobs/refund-account', { jobId }, flow)
    else await deps.sleep(SEEN_AFTER_MS, flow.signal)
  }
}

/** What a side decides of its job. `agentAmount` is in base units of CRED; the hirer gets the rest. */
export type JobDecision = { jobId: string } & (
  | { act: 'approve' | 'concede' }
  | ({ act: 'object' } & RequestOf<'POST /jobs/{id}/object'>['body'])
  | ({ act: 'split' } & RequestOf<'POST /jobs/{id}/split'>['body'])
)

/** Decides a job, as one of its sides. */
export function decideJob(call: Call, { jobId: id, act, ...rest }: JobDecision, signal?: AbortSignal) {
  const decide = call as (name: `POST /jobs/{id}/${typeof act}`, request: AnyRequest) => Promise<Job>
  const hasBody = act === 'object' || act === 'split'
  return decide(`POST /jobs/{id}/${act}`, { path: { id }, ...(hasBody && { body: rest }), signal })
}

export type JobWaiting = CallOptions & {
  /** Whether the wait is over; by default once the job has ended. */
  until?: ((job: Job) => boolean) | undefined
}

/**
 * Returns a job as soon as `until` holds. It reads the job again after each of its events, so the wallet must
 * be a side of it. A wait of days sends no request while nothing happens.
 * @param follow yields the wallet's events after one of them, also future ones
 */
export async function waitForJob(
  call: Call,
  follow: (options: { after: string | undefined; signal: AbortSignal | undefined }) => AsyncIterable<Event>,
  id: string,
  { until = ({ endedAt }) => endedAt !== undefined, signal }: JobWaiting,
): Promise<Job> {
  const read = () => call('GET /jobs/{id}', { path: { id }, signal })
  // First the end of the log: an event after it is not missed.
  const { events } = await call('GET /events', { query: { sort: 'newest', limit: 1 }, signal })
  let job = await read()
  if (until(job)) return job
  for await (const { data } of follow({ after: events[0]?.id, signal })) {
    if (!('jobId' in data) || data.jobId !== id) continue
    job = await read()
    if (until(job)) return job
  }
  return job
}
