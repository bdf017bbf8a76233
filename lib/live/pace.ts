/** A count of events in one minute; minutes since 1970. */
type Count = { minute: number; count: number }

export const MINUTE_MS = 60_000

/** The most messages a minute that acknowledge nothing, from all sockets of a wallet. */
export const MAX_IDLE_MESSAGES = 120

/** Returns the count after one more event. @param at Unix milliseconds */
export function counted(before: Count, at: number): Count {
  const minute = Math.floor(at / MINUTE_MS)
  return { minute, count: before.minute === minute ? before.count + 1 : 1 }
}

/** The number of pages read for a wallet, and the time of the last one. */
type Reads = Count & { at: number }

/** The pages a minute that a wallet gets without a pause; further ones come one in each `PACE_MS`. */
export const MAX_QUICK_READS = 60
export const PACE_MS = 1_000

/** Returns when the next page may be read, after the quick ones of a minute. */
export const pacedAt = ({ at }: Reads): number => at + PACE_MS

/**
 * Counts a read. Without a limit, a client that repeatedly opens sockets on a long log would read all of it
 * each time.
 * @returns undefined if the read must wait until `pacedAt`
 */
export function withRead(reads: Reads, at: number): Reads | undefined {
  const count = counted(reads, at)
  return count.count <= MAX_QUICK_READS || at >= pacedAt(reads) ? { ...count, at } : undefined
}
