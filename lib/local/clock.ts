/**
 * The platform's clock: the machine's clock plus an offset, which time travel raises; below 0 it is behind.
 * For tests it stands still at a time of the machine's clock: then the offset alone moves it.
 */
export type Clock = {
  /** Unix milliseconds of the machine's clock. A clock that stands still has it. */
  stoppedAt?: number | undefined
  /** Unix milliseconds. */
  now(): number
  /** How far ahead of the machine's clock, in milliseconds. */
  offset(): number
  /**
   * Moves the clock forward to a Unix time in milliseconds. Resolves when everybody who follows has moved.
   * @throws RangeError for a time in the past
   */
  travelTo(time: number): Promise<void>
  /** Calls back with every new offset. Returns a function that ends it. */
  follow(follower: Follower): () => void
}

type Follower = (offsetMs: number) => Promise<void> | void

/** Makes a clock that starts at an offset, and stands still if a time of the machine's clock is given. */
export function createClock(offsetMs = 0, stoppedAt?: number): Clock {
  let offset = offsetMs
  const followers = new Set<Follower>()
  const machine = () => stoppedAt ?? Date.now()
  const now = () => machine() + offset
  return {
    stoppedAt,
    now,
    offset: () => offset,
    async travelTo(time) {
      if (!(time >= now())) throw new RangeError('time travel goes forward only')
      offset = time - machine()
      await Promise.all([...followers].map((follower) => follower(offset)))
    },
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }
}
