import { formatNumber } from '../locale.ts'

/** Numbers from here on are shortened: 12K, 1.5M. */
const SHORT_FROM = 10_000

/** Returns the labels of an axis: short ones, unless two different numbers would look alike. */
export function shortNumbers(numbers: readonly number[]): string[] {
  const isLarge = numbers.some((number) => Math.abs(number) >= SHORT_FROM)
  const whole = numbers.map((number) => formatNumber(number))
  if (!isLarge) return whole
  const short = numbers.map((number) =>
    formatNumber(number, { notation: 'compact', maximumFractionDigits: 2 }),
  )
  return new Set(short).size === new Set(whole).size ? short : whole
}
