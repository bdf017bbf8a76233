/** An amount of CRED in its smallest unit, 10⁻⁹ CRED. The contract calls the unit lamports. */
export type Cred = bigint & { readonly __unit: 'CRED' }

/** An amount of SOL in lamports, 10⁻⁹ SOL: network fees and rent. */
export type Lamports = bigint & { readonly __unit: 'SOL' }

const U64_MAX = (1n << 64n) - 1n

/** @throws RangeError outside 0..2⁶⁴-1, which no balance on the chain can be */
export const cred = (units: bigint): Cred => checked(units) as Cred

/** @throws RangeError outside 0..2⁶⁴-1 */
export const lamports = (units: bigint): Lamports => checked(units) as Lamports

function checked(units: bigint): bigint {
  if (units < 0n || units > U64_MAX) throw new RangeError(`${units} is no amount: it must lie in 0..2^64-1`)
  return units
}
