import { formatNumber } from '../../locale.ts'
import { requestsLeft } from './steps.ts'

/**
 * Returns how many requests an amount of credit pays for, in words.
 * @param fee the credit that a request uses, more than 0
 */
export function requestsWords(credit: bigint, fee: bigint): string {
  const count = requestsLeft(credit, fee)
  return `${formatNumber(count)} ${count === 1n ? 'request' : 'requests'}`
}
