import { type FeeModel, MAX_CHARGED } from '../../schema/values.ts'
import type { FieldError } from '../api-error.ts'
import { DAY_MS } from '../time.ts'

/** A hire's fee, as its agent's was when it was hired. */
export type Fee = {
  feeModel: FeeModel
  /** Basis points for `percentage`, lamports otherwise. */
  feeAmount: bigint
}

/** What was done, as the agent's owner reports it: what an amount is computed from. */
export type Work = {
  units?: bigint | undefined
  /** Lamports that the agent's work has brought the hirer. The owner's word. */
  capturedValue?: bigint | undefined
  /** Lamports of them that are the agent's. */
  share?: bigint | undefined
}

/** When the rounds first look for a hire's budget account that nobody has recorded, after a charge. */
export const SEEK_AFTER_MS = 60_000

/** A charge that is not collected lapses so many days after its hire has ended. */
export const LAPSE_DAYS = 30

/** So many days after they lapsed, what nobody has paid of a hire's charges is deleted. */
const LAPSED_KEPT_DAYS = 90

/** When a hire must have ended for what nobody has paid of its charges to be deleted at `now`. */
export const forgottenSince = (now: Date): Date =>
  new Date(now.getTime() - (LAPSE_DAYS + LAPSED_KEPT_DAYS) * DAY_MS)

const ALL_OF_IT_BPS = 10_000n

/**
 * Computes what a charge comes to, in lamports: for work that fits the fee (see {@link faultsOf}).
 * The function charge_amount of Postgres computes the same.
 */
export function amountOf({ feeModel, feeAmount }: Fee, work: Work): bigint {
  if (feeModel === 'percentage') return ((work.capturedValue ?? 0n) * feeAmount) / ALL_OF_IT_BPS
  return (work.units ?? 1n) * feeAmount + (work.share ?? 0n)
}

/** What a fee model's charges have besides a reference. */
const FIELDS: Record<FeeModel, readonly (keyof Work)[]> = {
  flat: ['units'],
  percentage: ['capturedValue'],
  hybrid: ['units', 'capturedValue', 'share'],
}

/** Says what is wrong with a charge under this fee; an empty list if nothing is. */
export function faultsOf(fee: Fee, work: Work): FieldError[] {
  const fields = FIELDS[fee.feeModel]
  const sent = (['units', 'capturedValue', 'share'] as const).filter((field) => work[field] !== undefined)
  const stray = sent.filter((field) => !fields.includes(field))
  if (stray.length > 0) {
    return stray.map((path) => ({ path, message: `is no part of a charge when the fee is ${fee.feeModel}` }))
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

/** A percentage is of something; a share is stated together with the captured value. */
function missingFrom(feeModel: FeeModel, { capturedValue, share }: Work): keyof Work | undefined {
  if (capturedValue === undefined && (feeModel === 'percentage' || share !== undefined))
    return 'capturedValue'
  return feeModel === 'hybrid' && capturedValue !== undefined && share === undefined ? 'share' : undefined
}

/** The units that a charge is recorded with: one, unless it says how many. A percentage has none. */
export const unitsOf = ({ feeModel }: Fee, { units }: Work): bigint | undefined =>
  feeModel === 'percentage' ? undefined : (units ?? 1n)
