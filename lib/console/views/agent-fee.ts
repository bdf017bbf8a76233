import { parseCred } from '../kit/amounts.ts'

/** Basis points of a share, base units of an amount; undefined for what is neither. */
export function feeOf(feeModel: 'percentage' | 'flat' | 'hybrid', text: string): number | undefined {
  if (feeModel !== 'percentage') {
    const amount = parseCred(text)
    return amount === undefined ? undefined : Number(amount)
  }
  const [, whole, fraction = ''] = /^\s*(\d{1,3})(?:\.(\d{0,2}))?\s*$/.exec(text) ?? []
  const basisPoints = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return basisPoints <= 10_000 ? basisPoints : undefined
}
