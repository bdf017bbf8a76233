import type { Cred } from '../../schema/amounts.ts'
import { readAddress, readAddresses } from '../keys/key-versions.ts'
import { readCoins } from '../x402/coins.ts'

/**
 * Reads JOBS: whether jobs are accepted and funded.
 * @throws TypeError unless it is on or off: a mistyped `off` must not leave it on
 */
export function readJobs(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new TypeError('JOBS must be on or off')
}

/**
 * Reads JOB_JUDGES: wallets, comma separated, or none.
 * @throws TypeError that names the setting
 */
export const readJudges = (text: string): ReadonlySet<string> =>
  new Set(text === '' ? [] : text.split(',').map((wallet) => readAddress('JOB_JUDGES', wallet.trim())))

/**
 * Reads JOB_MIN_PRICE, in CRED.
 * @throws TypeError that names the setting
 */
export const readMinPrice = (text: string): Cred => readCoins('JOB_MIN_PRICE', text) as Cred

/**
 * Returns the newest version of the payments authority's key, if it has a recovery key: jobs that are
 * accepted now are funded under it. Undefined in a deployment without either.
 * @throws TypeError that names the setting that can't be read
 */
export function newestJobKey(settings: {
  PAYMENTS_AUTHORITY_ADDRESSES: string
  PAYMENTS_RECOVERY_ADDRESSES: string
}): number | undefined {
  const { PAYMENTS_AUTHORITY_ADDRESSES: authorities, PAYMENTS_RECOVERY_ADDRESSES: recoveries } = settings
  if (authorities === '' || recoveries === '') return undefined
  const newest = [...readAddresses('PAYMENTS_AUTHORITY_ADDRESSES', authorities).keys()].at(-1)
  const hasRecovery = readAddresses('PAYMENTS_RECOVERY_ADDRESSES', recoveries).has(newest as number)
  return hasRecovery ? newest : undefined
}
