/** An amount of CRED in its smallest unit, 10⁻⁹ CRED. The API calls the unit lamports. */
export type Cred = bigint & { readonly __unit: 'CRED' }

/** An amount of SOL in lamports, 10⁻⁹ SOL: network fees and rent. */
export type Lamports = bigint & { readonly __unit: 'SOL' }

/** The decimals of CRED and of SOL. A mint with other decimals is not CRED's. */
export const CRED_DECIMALS = 9

const U64_MAX = (1n << 64n) - 1n

/** @throws RangeError outside 0..2⁶⁴-1, the range of balances on the chain */
export const cred = (units: bigint): Cred => checked(units) as Cred

/** @throws RangeError outside 0..2⁶⁴-1 */
export const lamports = (units: bigint): Lamports => checked(units) as Lamports

/** @throws RangeError above 2⁶⁴-1 */
export const sumOf = (amounts: readonly Cred[]): Cred =>
  cred(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n))

/** Formats an amount exactly, without trailing zeros: 1500000000 is "1.5", 0 is "0". */
export function formatAmount(amount: Cred | Lamports): string {
  const digits = amount.toString().padStart(CRED_DECIMALS + 1, '0')
  const fraction = digits.slice(-CRED_DECIMALS).replace(/0+$/, '')
  return digits.slice(0, -CRED_DECIMALS) + (fraction === '' ? '' : `.${fraction}`)
}

function checked(units: bigint): bigint {
  if (units < 0n || units > U64_MAX)
    throw new RangeError(`${units} is not an amount: it must be from 0 to 2^64-1`)
  return units
}
