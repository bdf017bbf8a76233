/** How often something has happened in a minute, counted from 1970. */
type Count = { minute: number; count: number }

export const MINUTE_MS = 60_000

/** The count once it has happened again, at a time in Unix milliseconds. */
export function counted(before: Count, at: number): Count {
  const minute = Math.floor(at / MINUTE_MS)
  return { minute, count: before.minute === minute ? before.count + 1 : 1 }
}

/** The pages that were read for a wallet, and when the last one was. */
type Reads = Count & { at: number }

/** Pages that are read for a wallet in a minute as fast as they can be sent; further ones by the second. */
const MAX_QUICK_READS = 60
const PACE_MS = 1_000

/** When the next page may be read after those of a minute. */
export const pacedAt = ({ at }: Reads): number => at + PACE_MS

/**
 * Counts a read. Whoever opens sockets on a long log again and again would read it all each time.
 * @returns undefined where it has to wait until `pacedAt`
 */
export function withRead(reads: Reads, at: number): Reads | undefined {
  const count = counted(reads, at)
  return count.count <= MAX_QUICK_READS || at >= pacedAt(reads) ? { ...count, at } : undefined
}
