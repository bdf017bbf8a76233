/** The platform's clock: the machine's clock plus an offset, which time travel raises. */
export type Clock = {
  /** Unix milliseconds. */
  now(): number
  /** How far ahead of the machine's clock, in milliseconds. */
  offset(): number
  /**
   * Moves the clock forward to a Unix time in milliseconds.
   * @throws RangeError for a time in the past
   */
  travelTo(time: number): void
}

/** Makes a clock that starts at an offset; `onTravel` is called with every new offset. */
export function createClock(offsetMs = 0, onTravel: (offsetMs: number) => void = () => {}): Clock {
  let offset = offsetMs
  const now = () => Date.now() + offset
  return {
    now,
    offset: () => offset,
    travelTo(time) {
      if (!(time >= now())) throw new RangeError('time travel goes forward only')
      offset = time - Date.now()
      onTravel(offset)
    },
  }
}
