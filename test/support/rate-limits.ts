import { expect } from 'vitest'

const WINDOW_MS = 60_000

/** So few that the last of them is not given up by the service, however busy the machine. */
const AT_ONCE = 10

/** Counts the windows that have been open since: Miniflare's are the minutes of the machine's clock. */
export function countWindows(): () => number {
  const window = () => Math.floor(Date.now() / WINDOW_MS)
  const first = window()
  return () => window() - first + 1
}

/**
 * Repeats a request until it is limited, and asserts that as many succeeded as the limit allows.
 * @param limit the requests that a window allows to a new caller
 * @returns the first rejected answer
 */
export async function untilLimited<T>(
  limit: number,
  request: () => Promise<T>,
  isLimited: (answer: T) => boolean,
): Promise<T> {
  const windows = countWindows()
  for (let passed = 0; ; ) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, request))
    passed += answers.filter((answer) => !isLimited(answer)).length
    expect(passed).toBeLessThanOrEqual(limit * windows())
    const limited = answers.find(isLimited)
    if (limited === undefined) continue
    expect(passed).toBeGreaterThanOrEqual(limit)
    return limited
  }
}
