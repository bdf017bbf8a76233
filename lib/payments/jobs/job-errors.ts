import type { ErrorCode } from '../../../schema/errors.ts'
import { ApiError } from '../../api-error.ts'

const sentences = {
  job_not_found: ['job_not_found', 'You have no job with this id.'],
  due: ['deadline_passed', 'The time to fund the job is over.'],
  deadline_passed: ['deadline_passed', 'The time to fund the job is over.'],
  funding_open: ['funding_open', 'A funding of the job is signed already. Read its status.'],
  job_changed: ['job_changed', 'The job is not waiting for a funding.'],
  changed: ['job_changed', 'The job has changed since. Read it, and repeat the request.'],
  key_leaked: ['key_leaked', 'The key of this job has leaked. Order the job again under a new key.'],
  escrow_taken: [
    'escrow_taken',
    'An operator must look at the escrows of this key. Nothing is funded under it.',
  ],
  jobs_ended: ['jobs_off', 'The operator ends jobs under this key, so no more are funded.'],
  input_missing: ['input_missing', 'Send the input whose hash the job was ordered with.'],
  input_differs: ['input_differs', 'The hash of the input differs from the job’s inputHash.'],
  not_due: ['nothing_due', 'The job’s escrow owes you nothing now.'],
  in_flight: ['payment_open', 'A payment to you is signed already. Read its status.'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

/** Why a transaction of jobs is not built or not signed. */
type JobOutcome = keyof typeof sentences

/** Makes the error of a transaction of jobs that is not built or not signed. */
export function jobError(outcome: JobOutcome): ApiError {
  const [code, detail]: readonly [ErrorCode, string] = sentences[outcome]
  const errors = code.startsWith('input_') ? [{ path: 'input', message: detail }] : undefined
  return new ApiError(code, detail, errors && { errors })
}
