import { formatCred } from '../../client/index.ts'

/** The largest amount that the service takes. */
export const MAX_AMOUNT = 2n ** 53n - 1n

/** A unit of amounts. An amount is a whole number of its smallest part: 10^-decimals. */
export type Unit = {
  /** The plural, for figures: `basis points`. */
  name: string
  decimals: 0 | 2 | 9
  /** The largest amount, in the smallest part. */
  max: bigint
}

export const CRED: Unit = { name: 'CRED', decimals: 9, max: MAX_AMOUNT }
/** Amounts are in basis points. */
export const PERCENT: Unit = { name: 'percent', decimals: 2, max: 10_000n }
/** Returns a unit that has no decimals. */
export const wholeUnit = (name: string): Unit => ({ name, decimals: 0, max: MAX_AMOUNT })

/** Returns an amount for people, with its unit: `1,500.25 CRED`. */
export function amountWords(amount: bigint, unit: Unit): string {
  const number = figureOf(amount, unit)
  return `${number} ${number === '1' ? unit.name.replace(/s$/, '') : unit.name}`
}

/**
 * Returns an amount as text for its field: without separators of thousands, and clear. 1.125 is `1.1250`,
 * since `1.125` may also be 1,125.
 */
export const amountText = (amount: bigint, unit = CRED): string =>
  figureOf(amount, unit)
    .replaceAll(',', '')
    .replace(/^[1-9]\d{0,2}\.\d{3}$/, '$&0')

/**
 * Returns an amount of CRED with at most four decimals, rounded down, for a figure that grows by itself:
 * `0.0002`. A smaller one is `<0.0001`.
 */
export function roundedCred(amount: bigint): string {
  const rounded = amount - (amount % SHOWN)
  return amount > 0n && rounded === 0n ? `<${formatCred(SHOWN)}` : formatCred(rounded)
}

/** Returns what of an amount is left after the protocol fee, which collections round up. */
export const afterFee = (amount: bigint, feeBps: number): bigint =>
  amount - (amount * BigInt(feeBps) + 9_999n) / 10_000n

/** The smallest part of a CRED that a rounded figure shows. */
const SHOWN = 100_000n

const figureOf = (amount: bigint, { decimals }: Unit): string =>
  formatCred(amount * 10n ** BigInt(CRED.decimals - decimals))

/** What the text of an amount's field says. Amounts are in the smallest part of the unit. */
export type Reading =
  | { state: 'empty' }
  | { state: 'clear'; amount: bigint }
  /** A comma or a point that may group thousands or begin the decimals. */
  | { state: 'ambiguous'; amounts: bigint[] }
  /** `error` says what is wrong and what to write. */
  | { state: 'wrong'; error: string }

/** A number in digits: the whole part, its separator of thousands, and the decimals. */
const notation = (separators: string, point: string) =>
  new RegExp(`^(0|[1-9]\\d*|[1-9]\\d{0,2}([${separators}\\s'’])\\d{3}(?:\\2\\d{3})*)?(?:[${point}](\\d*))?$`)
/** As in English, `1,500.25`, and as in German, `1.500,25`. */
const NOTATIONS = [notation(',', '.'), notation('.', ',')]

/** Reads the text of an amount's field in both notations: it is ambiguous if they read different amounts. */
export function readAmount(text: string, { name, decimals, max }: Unit): Reading {
  const typed = text.trim()
  if (typed === '') return { state: 'empty' }
  const read = NOTATIONS.flatMap((notation) => {
    const [, whole = '', , fraction = ''] = notation.exec(typed) ?? []
    return whole + fraction === '' ? [] : [{ whole: whole.replace(/\D/g, ''), fraction }]
  })
  const exact = read.filter(({ fraction }) => fraction.length <= decimals)
  const amounts = exact.map(({ whole, fraction }) => BigInt(whole + fraction.padEnd(decimals, '0')))
  const possible = [...new Set(amounts)].filter((amount) => amount <= max)
  const [amount] = possible
  if (amount !== undefined)
    return possible.length === 1 ? { state: 'clear', amount } : { state: 'ambiguous', amounts: possible }
  if (read.length === 0)
    return { state: 'wrong', error: `This can’t be read as an amount. ${HOW_TO_WRITE[decimals]}` }
  if (exact.length < read.length)
    return { state: 'wrong', error: `Too many decimals. ${HOW_TO_WRITE[decimals]}` }
  return { state: 'wrong', error: `Too much. Enter at most ${amountWords(max, { name, decimals, max })}.` }
}

const HOW_TO_WRITE = {
  0: 'Enter a whole number such as 1500, in the digits 0 to 9.',
  2: 'Enter a number such as 2.5, in the digits 0 to 9, with at most two decimals.',
  9: 'Enter a number such as 1500.25, in the digits 0 to 9, with at most nine decimals.',
}

/** Returns the amount that a text clearly says, in the smallest part of the unit. */
export function amountOf(text: string, unit = CRED): bigint | undefined {
  const reading = readAmount(text, unit)
  return reading.state === 'clear' ? reading.amount : undefined
}

/** Returns the share of a whole, 0 to 1, for a meter; 0 if the whole is 0. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return part > 0n ? 1 : 0
  const tenThousandths = (part * 10_000n) / whole
  return Math.min(1, Number(tenThousandths) / 10_000)
}
