/** The largest amount that the service takes. */
export const MAX_AMOUNT = 2n ** 53n - 1n

/** Returns the share of a whole, 0 to 1, for a meter; 0 if the whole is 0. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return part > 0n ? 1 : 0
  const tenThousandths = (part * 10_000n) / whole
  return Math.min(1, Number(tenThousandths) / 10_000)
}
