import type { AgentCredError } from '../../client/index.ts'

/** The wait before the first retry. Each further wait is twice the last one, up to the most. */
const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/** Returns whether an error may pass by itself: no answer, a failure of the service, or too many requests. */
export const isPassing = ({ code, status = 0 }: Pick<AgentCredError, 'code' | 'status'>): boolean =>
  code === 'unreachable' || code === 'rate_limited' || status >= 500

/**
 * Returns the wait before a retry, in milliseconds.
 * @param failures the number of failures so far, at least 1
 * @param random from 0 to 1, so that pages which failed together do not ask together
 * @param retryAfterMs the wait that the service asks for
 */
export const waitBefore = (failures: number, random: number, retryAfterMs = 0): number =>
  Math.max(retryAfterMs, Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS)) * (1 + random / 2)

/** A read that failed and will be retried. */
type Failed = {
  isUnreachable: boolean
  /** When it is retried, in Unix milliseconds; undefined while it is. */
  retryAt: number | undefined
}

/** The page's visibility and network, and its clock. */
type Surroundings = {
  now: () => number
  random: () => number
  /** Whether requests make sense: the page is visible and the device is online. */
  isAwake: () => boolean
  /** Calls back whenever the page is visible again or the device online again. */
  onWake: (act: () => void) => void
}

/**
 * Creates the schedule of the page's failed reads. Each is retried with growing waits. All are retried at
 * once when the page or the network is back, or when one of them reaches the service again.
 */
export function createRetries({ now, random, isAwake, onWake }: Surroundings) {
  const reads = new Set<{ failed: Failed | undefined; retry: () => void }>()
  const watchers = new Set<() => void>()
  const publish = () => {
    for (const watch of watchers) watch()
  }
  function retryAll(isWanted: (failed: Failed) => boolean = () => true) {
    for (const { failed, retry } of [...reads]) if (failed?.retryAt !== undefined && isWanted(failed)) retry()
  }
  onWake(() => retryAll())
  return {
    /** Adds a read. `retry` must lead to one of `succeeded`, `failed` and `leave`. */
    join(retryRead: () => void) {
      let failures = 0
      let timer: ReturnType<typeof setTimeout> | undefined
      const read = {
        failed: undefined as Failed | undefined,
        retry() {
          clearTimeout(timer)
          if (read.failed) read.failed = { ...read.failed, retryAt: undefined }
          publish()
          retryRead()
        },
      }
      reads.add(read)
      return {
        succeeded() {
          const { failed } = read
          clearTimeout(timer)
          failures = 0
          read.failed = undefined
          if (!failed) return
          publish()
          if (failed.isUnreachable) retryAll(({ isUnreachable }) => isUnreachable)
        },
        /** @returns when it is retried, in Unix milliseconds; undefined for an error that does not pass */
        failed(error: AgentCredError): number | undefined {
          clearTimeout(timer)
          failures += 1
          const waitMs = waitBefore(failures, random(), error.retryAfterMs)
          const retryAt = isPassing(error) ? now() + waitMs : undefined
          read.failed =
            retryAt === undefined ? undefined : { isUnreachable: error.code === 'unreachable', retryAt }
          // While the page sleeps nothing is asked: it asks when it wakes.
          if (retryAt !== undefined) timer = setTimeout(() => isAwake() && read.retry(), waitMs)
          publish()
          return retryAt
        },
        leave() {
          clearTimeout(timer)
          reads.delete(read)
          if (read.failed) publish()
        },
      }
    },
    retryAll: () => retryAll(),
    /** @returns the reads without an answer, by the next retry; undefined if the service answers */
    outage(): { retryAt: number | undefined } | undefined {
      const unanswered = [...reads].flatMap(({ failed }) => (failed?.isUnreachable ? [failed] : []))
      if (unanswered.length === 0) return undefined
      const times = unanswered.flatMap(({ retryAt }) => retryAt ?? [])
      return { retryAt: times.length > 0 ? Math.min(...times) : undefined }
    },
    /** @returns a function that ends it */
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}
