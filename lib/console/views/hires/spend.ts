import type { Charge, Hire } from '../../../client/generated/types.ts'

/** A line over time: Unix seconds, and CRED. */
type Spend = { xs: number[]; spent: number[] }

/**
 * How the spent part of a period's budget has grown, from the period's beginning to `now` or its end. Charges
 * that were voided are left out. Of a period with more charges than are given (the newest), the sum of
 * the missing ones stands at its beginning.
 * @param now Unix milliseconds
 */
export function spendOf(
  { period, spent }: Pick<Hire, 'period' | 'spent'>,
  charges: readonly Charge[],
  now: number,
): Spend {
  const counted = charges
    .filter(({ status, periodStart }) => status !== 'voided' && periodStart === period.start)
    .map(({ createdAt, amount }) => ({ at: Date.parse(createdAt) / 1000, amount }))
    .sort((a, b) => a.at - b.at)
  const known = counted.reduce((sum, { amount }) => sum + amount, 0n)
  let total = spent > known ? spent - known : 0n
  const line: Spend = { xs: [Date.parse(period.start) / 1000], spent: [inCred(total)] }
  const put = (at: number) => {
    line.xs.push(at)
    line.spent.push(inCred(total))
  }
  for (const { at, amount } of counted) {
    total += amount
    put(at)
  }
  const end = Math.min(now, Date.parse(period.end)) / 1000
  if (end > (line.xs.at(-1) ?? 0)) put(end)
  return line
}

/** For a picture: not exact. */
const inCred = (amount: bigint): number => Number(amount) / 1e9
