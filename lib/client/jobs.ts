import type { Event, Job } from './generated/types.ts'
import { loadCheck } from './load-check.ts'
import type { Call, CallOptions, RequestOf } from './operations.ts'
import type { SeenJob } from './verify/order.ts'

/**
 * Accepts a job under the terms in `job`, as the caller read them.
 * @throws AgentCredError `job_unexpected` if they don't have the job's hash
 */
export async function acceptJob(call: Call, job: SeenJob, signal?: AbortSignal): Promise<Job> {
  const termsHash = (await loadCheck()).termsHashOf(job)
  return call('POST /jobs/{id}/accept', { path: { id: job.id }, body: { termsHash }, signal })
}

/** What a side decides of its job. `agentAmount` is in base units of CRED; the hirer gets the rest. */
export type JobDecision = { jobId: string } & (
  | { act: 'approve' | 'concede' }
  | ({ act: 'object' } & RequestOf<'POST /jobs/{id}/object'>['body'])
  | ({ act: 'split' } & RequestOf<'POST /jobs/{id}/split'>['body'])
)

/** Decides a job, as one of its sides. */
export function decideJob(call: Call, { jobId: id, ...decision }: JobDecision, signal?: AbortSignal) {
  const path = { id }
  switch (decision.act) {
    case 'approve':
      return call('POST /jobs/{id}/approve', { path, signal })
    case 'concede':
      return call('POST /jobs/{id}/concede', { path, signal })
    case 'object':
      return call('POST /jobs/{id}/object', { path, body: { reason: decision.reason }, signal })
    case 'split':
      return call('POST /jobs/{id}/split', { path, body: { agentAmount: decision.agentAmount }, signal })
  }
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
