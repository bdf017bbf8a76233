import { CRED_DECIMALS, type Cred, cred } from '../../../schema/amounts.ts'

/** What a payment costs and counts for. */
export type FeeSettings = {
  /** The protocol fee in basis points of the collected amount. */
  feeBps: number
  /** The protocol fee from which on a payer weighs one. */
  feeStep: Cred
  /** The amount that must have been collected for a hire that is rated. */
  minPaid: Cred
}

/**
 * Reads the settings as wrangler.toml has them.
 * @throws TypeError that names the setting that can't be read
 */
export const readFeeSettings = (env: {
  PROTOCOL_FEE_BPS: string
  FEE_STEP: string
  MIN_PAID: string
}): FeeSettings => ({
  feeBps: readFeeBps(env.PROTOCOL_FEE_BPS),
  feeStep: readFeeStep(env.FEE_STEP),
  minPaid: positive('MIN_PAID', env.MIN_PAID),
})

/** Reads the setting PROTOCOL_FEE_BPS, as {@link readFeeSettings}. */
export function readFeeBps(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 10_000)
    throw new TypeError('PROTOCOL_FEE_BPS must be basis points from 0 to 10000, such as 100')
  return Number(text)
}

/** Reads the setting FEE_STEP, as {@link readFeeSettings}. */
export const readFeeStep = (text: string): Cred => positive('FEE_STEP', text)

/** An amount in CRED, in decimals. Of nothing no share can be taken, and nothing proves a payment. */
function positive(setting: string, text: string): Cred {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const amount = BigInt(whole + fraction.padEnd(CRED_DECIMALS, '0'))
  if (whole === '' || amount === 0n) throw new TypeError(`${setting} must be CRED above zero, such as 0.5`)
  return cred(amount)
}
