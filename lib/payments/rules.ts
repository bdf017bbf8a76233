import { type FeeModel, MAX_CHARGED } from '../../schema/values.ts'
import type { FieldError } from '../api-error.ts'
import { DAY_MS } from '../time.ts'

/** A hire's fee: the agent's fee at the time of hiring. */
export type Fee = {
  feeModel: FeeModel
  /** Basis points for `percentage`, lamports otherwise. */
  feeAmount: bigint
}

/** Work as the agent's owner reports it. The amount of a charge is computed from it. */
export type Work = {
  units?: bigint | undefined
  /** Lamports that the work earned the hirer, as the owner claims. Nobody checks it. */
  capturedValue?: bigint | undefined
  /** The agent's share of the captured value, in lamports. */
  share?: bigint | undefined
}

/** How long after a charge the settlement job first looks for a budget account that is not recorded. */
export const DISCOVER_AFTER_MS = 60_000

/** Days after the end of its hire until an uncollected charge lapses. */
export const LAPSE_DAYS = 30

/** Days after they lapsed until a hire's unpaid charges are deleted. */
const LAPSED_RETENTION_DAYS = 90

/** Returns the latest end of a hire whose unpaid charges are deleted at `now`. */
export const forgottenSince = (now: Date): Date =>
  new Date(now.getTime() - (LAPSE_DAYS + LAPSED_RETENTION_DAYS) * DAY_MS)

const ALL_OF_IT_BPS = 10_000n

/**
 * Computes the amount of a charge, in lamports. The work must fit the fee (see {@link workErrors}).
 * The Postgres function charge_amount computes the same.
 */
export function amountOf({ feeModel, feeAmount }: Fee, work: Work): bigint {
  if (feeModel === 'percentage') return ((work.capturedValue ?? 0n) * feeAmount) / ALL_OF_IT_BPS
  return (work.units ?? 1n) * feeAmount + (work.share ?? 0n)
}

/** The fields of a charge by fee model, besides the reference. */
const FIELDS: Record<FeeModel, readonly (keyof Work)[]> = {
  flat: ['units'],
  percentage: ['capturedValue'],
  hybrid: ['units', 'capturedValue', 'share'],
}

/** Returns the errors of a charge under this fee; an empty list for a valid charge. */
export function workErrors(fee: Fee, work: Work): FieldError[] {
  const fields = FIELDS[fee.feeModel]
  const sent = (['units', 'capturedValue', 'share'] as const).filter((field) => work[field] !== undefined)
  const stray = sent.filter((field) => !fields.includes(field))
  if (stray.length > 0) {
    return stray.map((path) => ({ path, message: `must be absent when the fee is ${fee.feeModel}` }))
  }
  const missing = missingFrom(fee.feeModel, work)
  if (missing) return [{ path: missing, message: `is required when the fee is ${fee.feeModel}` }]
  if ((work.share ?? 0n) > (work.capturedValue ?? 0n)) {
    return [{ path: 'share', message: 'must be at most capturedValue' }]
  }
  const amount = amountOf(fee, work)
  if (amount >= 1n && amount <= MAX_CHARGED) return []
  const path = fee.feeModel === 'percentage' ? 'capturedValue' : 'units'
  return [{ path, message: `makes the charge ${amount} base units of CRED; it must be 1 to ${MAX_CHARGED}` }]
}

/** Returns a missing field: a percentage needs a captured value; share and captured value need each other. */
function missingFrom(feeModel: FeeModel, { capturedValue, share }: Work): keyof Work | undefined {
  if (capturedValue === undefined && (feeModel === 'percentage' || share !== undefined))
    return 'capturedValue'
  return feeModel === 'hybrid' && capturedValue !== undefined && share === undefined ? 'share' : undefined
}

/** Returns the units that a charge is recorded with: 1 by default, none for a percentage. */
export const unitsOf = ({ feeModel }: Fee, { units }: Work): bigint | undefined =>
  feeModel === 'percentage' ? undefined : (units ?? 1n)
