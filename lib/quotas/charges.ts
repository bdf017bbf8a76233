import { CHARGES_PER_DAY, UNPAID_CHARGES } from '../../schema/values.ts'
import { Refusal } from '../refusal.ts'
import { usedUp } from './refusals.ts'

/* How many charges a wallet's agents may record, and how many of them may stand unpaid. */

/** The checks that refuse one too many, with the charge that was recorded. */
export const CHARGES_CHECK = 'wallet_quotas_charges'
export const UNPAID_CHECK = 'wallet_quotas_unpaid_charges'

/** Makes the refusal of one charge too many on a day. */
export const chargedTooOften = (now: Date): Refusal =>
  usedUp('charges', { policy: 'charges', limit: CHARGES_PER_DAY, per: 'day', now })

/** Makes the refusal of one unpaid charge too many. */
export const tooManyUnpaid = (): Refusal =>
  new Refusal(
    'quota_exceeded',
    `Of a wallet’s charges at most ${UNPAID_CHARGES} more may stand unpaid, voided ones among them, than were ever paid. Collect some first.`,
  )
