/**
 * The platform's clock: the machine's clock plus an offset, which time travel raises. Below 0 it is behind.
 * In tests it may be stopped at a time of the machine's clock; only the offset moves it then.
 */
export type Clock = {
  /** The time of a stopped clock, in Unix milliseconds of the machine's clock. */
  stoppedAt?: number | undefined
  /** Unix milliseconds. */
  now(): number
  /** How far ahead of the machine's clock, in milliseconds. */
  offset(): number
  /**
   * Moves the clock forward to a Unix time in milliseconds. Resolves when all followers have moved.
   * @throws RangeError for a time in the past
   */
  travelTo(time: number): Promise<void>
  /** Calls back with every new offset. Returns a function that ends this. */
  follow(follower: Follower): () => void
}

type Follower = (offsetMs: number) => Promise<void> | void

/** Makes a clock that starts at an offset; stopped if a time of the machine's clock is given. */
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
