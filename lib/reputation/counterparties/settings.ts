import { CRED_DECIMALS, type Cred, cred } from '../../../schema/amounts.ts'

/** The settings of the protocol fee and of weights. */
export type FeeSettings = {
  /** The protocol fee in basis points of the collected amount. */
  feeBps: number
  /** The protocol fee from which a payer has weight 1. */
  feeStep: Cred
  /** The least amount collected for a hire before it can be rated. */
  minPaid: Cred
}

/**
 * Parses the settings.
 * @throws TypeError that names the invalid setting
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

/** Parses the setting PROTOCOL_FEE_BPS, like {@link readFeeSettings}. */
export function readFeeBps(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 10_000)
    throw new TypeError('PROTOCOL_FEE_BPS must be basis points from 0 to 10000, such as 100')
  return Number(text)
}

/** Parses the setting FEE_STEP, like {@link readFeeSettings}. */
export const readFeeStep = (text: string): Cred => positive('FEE_STEP', text)

/** Parses a decimal amount in CRED above zero. */
function positive(setting: string, text: string): Cred {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const amount = BigInt(whole + fraction.padEnd(CRED_DECIMALS, '0'))
  if (whole === '' || amount === 0n) throw new TypeError(`${setting} must be CRED above zero, such as 0.5`)
  return cred(amount)
}
