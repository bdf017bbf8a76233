import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentCredError } from '../../../lib/client/index.ts'
import { createRetries, isPassing, waitBefore } from '../../../lib/console/kit/retries.ts'

const UNREACHABLE = new AgentCredError('unreachable', '')
const BROKEN = new AgentCredError('dependency_unavailable', '', { status: 503 })

describe('isPassing', () => {
  it.each([
    ['unreachable', undefined, true],
    ['rate_limited', 429, true],
    ['unexpected_answer', 502, true],
    ['internal_error', 500, true],
    ['unexpected_answer', 404, false],
    ['invalid_request', 400, false],
    ['wallet_refused', undefined, false],
  ] as const)('%s with status %s: %s', (code, status, passes) => {
    expect(isPassing({ code, status })).toBe(passes)
  })
})

it('doubles the wait up to a minute, adds up to half, and waits as long as it is asked to', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => waitBefore(failures, 0))
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  expect(waitBefore(1, 1)).toBe(3_000)
  expect(waitBefore(1, 0, 90_000)).toBe(90_000)
})

describe('createRetries', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** The retries of a page that can be put to sleep. */
  function page() {
    let isAwake = true
    let wake = () => {}
    const retries = createRetries({
      now: Date.now,
      random: () => 0,
      isAwake: () => isAwake,
      onWake: (act) => {
        wake = act
      },
    })
    return {
      retries,
      sleep: () => {
        isAwake = false
      },
      wake: () => {
        isAwake = true
        wake()
      },
    }
  }

  it('retries with growing waits until an answer arrives', () => {
    const { retries } = page()
    const retry = vi.fn()
    const read = retries.join(retry)
    expect(read.failed(BROKEN)).toBe(Date.now() + 2_000)
    vi.advanceTimersByTime(1_999)
    expect(retry).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(retry).toHaveBeenCalledTimes(1)
    expect(read.failed(BROKEN)).toBe(Date.now() + 4_000)
    read.succeeded()
    vi.advanceTimersByTime(60_000)
    expect(retry).toHaveBeenCalledTimes(1)
    expect(read.failed(BROKEN)).toBe(Date.now() + 2_000)
  })

  it('does not retry after an error that needs the visitor, or after the read is gone', () => {
    const { retries } = page()
    const retry = vi.fn()
    const read = retries.join(retry)
    expect(read.failed(new AgentCredError('permission_missing', '', { status: 403 }))).toBeUndefined()
    read.failed(UNREACHABLE)
    read.leave()
    vi.advanceTimersByTime(60_000)
    expect(retry).not.toHaveBeenCalled()
    expect(retries.outage()).toBeUndefined()
  })

  it('asks nothing while the page sleeps, and at once when it wakes', () => {
    const { retries, sleep, wake } = page()
    const retry = vi.fn()
    retries.join(retry).failed(UNREACHABLE)
    sleep()
    vi.advanceTimersByTime(60_000)
    expect(retry).not.toHaveBeenCalled()
    wake()
    expect(retry).toHaveBeenCalledTimes(1)
  })

  it('reports an outage with its next retry, and ends it for all reads when one succeeds', () => {
    const { retries } = page()
    const watcher = vi.fn()
    retries.watch(watcher)
    const [first, second] = [vi.fn(), vi.fn()]
    const [one, other, broken] = [retries.join(first), retries.join(second), retries.join(vi.fn())]
    broken.failed(BROKEN)
    expect(retries.outage()).toBeUndefined()
    one.failed(UNREACHABLE)
    other.failed(UNREACHABLE)
    other.failed(UNREACHABLE)
    expect(retries.outage()).toEqual({ retryAt: Date.now() + 2_000 })
    vi.advanceTimersByTime(2_000)
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0])
    one.succeeded()
    expect(second).toHaveBeenCalledTimes(1)
    // It is being asked for.
    expect(retries.outage()).toEqual({ retryAt: undefined })
    other.succeeded()
    expect(retries.outage()).toBeUndefined()
    expect(watcher).toHaveBeenCalled()
  })
})
