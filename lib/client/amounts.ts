const DECIMALS = 9
const UNIT = 1_000_000_000n

/**
 * Formats an amount of base units (10^-9 CRED) for people, exact to the last digit: `1,500.25`. Commas group
 * thousands in every locale. A negative amount begins with a minus sign (U+2212).
 */
export function formatCred(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  const whole = String(size / UNIT).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = String(size % UNIT)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '−' : ''}${whole}${fraction && `.${fraction}`}`
}

/**
 * Parses a typed amount, `1500.25` or `1,500.25`, to base units (10^-9 CRED). A comma only groups thousands:
 * `1,5` is not an amount.
 * @returns undefined for any other text, also for one with more than nine decimals
 */
export function parseCred(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,9}))?\s*$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return BigInt(whole.replaceAll(',', '')) * UNIT + BigInt(fraction.padEnd(DECIMALS, '0'))
}
