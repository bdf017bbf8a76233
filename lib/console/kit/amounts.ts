import { formatNumber } from '../locale.ts'

const DECIMALS = 9
const UNIT = 10n ** BigInt(DECIMALS)

/** The largest amount that the service takes. */
export const MAX_AMOUNT = 2n ** 53n - 1n

/** The amount as people read it, exact: 1500000000 is `1.5`; thousands are grouped. */
export function formatCred(amount: bigint): string {
  const sign = amount < 0n ? '−' : ''
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % UNIT)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '')
  return `${sign}${formatNumber(size / UNIT)}${fraction && `.${fraction}`}`
}

/**
 * Reads a typed amount, `1,500.25`, as base units; undefined when the text is no such number. A comma groups
 * thousands and does nothing else: where it stands for a point, as in `1,5`, nothing is read.
 */
export function parseCred(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,9}))?\s*$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return BigInt(whole.replaceAll(',', '')) * UNIT + BigInt(fraction.padEnd(DECIMALS, '0'))
}

/** How much of a whole a part is, 0 to 1, for a meter; nothing of nothing is 0. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return part > 0n ? 1 : 0
  const tenThousandths = (part * 10_000n) / whole
  return Math.min(1, Number(tenThousandths) / 10_000)
}
