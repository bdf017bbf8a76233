import { ACTIVE_HIRES_PER_WALLET, HIRES_PER_DAY } from '../../schema/values.ts'
import { Refusal } from '../refusal.ts'
import { usedUp } from './refusals.ts'

/*
 * How many hires a wallet may begin, and how many may be active. Triggers on hires count them: hires end in
 * several statements, of which some change the same row of wallet_quotas already.
 */

/** The checks that refuse one too many, with the statement that recorded it. */
export const HIRES_CHECK = 'wallet_quotas_hires'
export const ACTIVE_HIRES_CHECK = 'wallet_quotas_active_hires'

/** Makes the refusal of one hire too many on a day. */
export const hiredTooOften = (now: Date): Refusal =>
  usedUp('new hires', { policy: 'hires', limit: HIRES_PER_DAY, per: 'day', now })

/** Makes the refusal of one active hire too many. */
export const noSlotForHire = (): Refusal =>
  new Refusal(
    'quota_exceeded',
    `A wallet has at most ${ACTIVE_HIRES_PER_WALLET} active hires. End one first.`,
  )
