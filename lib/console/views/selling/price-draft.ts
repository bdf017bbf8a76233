import type { RequestPrice, RequestPriceRequest } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { amountOf, CRED, type Unit, wholeUnit } from '../../kit/amounts.ts'

/** A price as its form holds it. `asset` is the mint of another token than CRED; '' is CRED. */
type PriceDraft = { name: string; amount: string; asset: string }

/**
 * Returns the unit of a price: CRED, or the smallest units of another token, since the service does not know
 * its decimals.
 */
export const priceUnit = (isCred: boolean): Unit => (isCred ? CRED : SMALLEST_UNITS)
const SMALLEST_UNITS = wholeUnit('smallest units')

/** Returns a price in words for a line of code: `0.25 CRED`. */
export const priceWords = (
  { amount, asset }: Pick<RequestPrice, 'amount' | 'asset'>,
  mint: string,
): string => (asset === mint ? `${formatCred(amount)} CRED` : `${amount} smallest units of ${asset}`)

/** Returns the draft as the service takes it; undefined while something is missing, or at a price of 0. */
export function priceOf(draft: PriceDraft): RequestPriceRequest | undefined {
  const [name, asset] = [draft.name.trim(), draft.asset.trim()]
  const amount = amountOf(draft.amount, priceUnit(asset === ''))
  return name === '' || !amount ? undefined : { name, amount, ...(asset && { asset }) }
}
