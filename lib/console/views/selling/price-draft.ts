import type { RequestPrice, RequestPriceRequest } from '../../../client/generated/types.ts'
import { formatCred, parseCred } from '../../../client/index.ts'
import { MAX_AMOUNT } from '../../kit/amounts.ts'

/** A price as its form holds it. `asset` is the mint of another token than CRED; '' is CRED. */
type PriceDraft = { name: string; amount: string; asset: string }

/**
 * Reads an amount as typed: CRED in decimals, any other token in its smallest units, since the service does
 * not know the decimals of a token.
 * @returns base units; undefined for any other text, and above the largest amount that the service takes
 */
export function amountOf(text: string, isCred: boolean): bigint | undefined {
  const amount = isCred ? parseCred(text) : /^\s*\d{1,16}\s*$/.test(text) ? BigInt(text.trim()) : undefined
  return amount !== undefined && amount <= MAX_AMOUNT ? amount : undefined
}

/** Returns an amount as its field takes it. */
export const amountText = (amount: bigint, isCred: boolean): string =>
  isCred ? formatCred(amount) : String(amount)

/** Returns a price in words for a line of code: `0.25 CRED`. */
export const priceWords = (
  { amount, asset }: Pick<RequestPrice, 'amount' | 'asset'>,
  mint: string,
): string => (asset === mint ? `${formatCred(amount)} CRED` : `${amount} smallest units of ${asset}`)

/** Returns the draft as the service takes it; undefined while something is missing, or at a price of 0. */
export function priceOf(draft: PriceDraft): RequestPriceRequest | undefined {
  const [name, asset] = [draft.name.trim(), draft.asset.trim()]
  const amount = amountOf(draft.amount, asset === '')
  return name === '' || !amount ? undefined : { name, amount, ...(asset && { asset }) }
}
