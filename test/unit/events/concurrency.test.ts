import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gathered, runConcurrently } from '../../../lib/events/sending/concurrency.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const LIMITS = { atOnce: 2, patienceMs: 1_000 }

/** Work that takes as many milliseconds as each item says, and the order in which items were begun. */
function timed() {
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = async (ms: number) => {
    begun.push(ms)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, ms))
    running -= 1
  }
  return { work, begun, most: () => most, running: () => running }
}

describe('runConcurrently', () => {
  it('begins all in order, never more than so many at a time', async () => {
    const { work, begun, most, running } = timed()
    const items = [30, 10, 20, 40, 50]
    const run = runConcurrently(items, LIMITS, work)
    await vi.advanceTimersByTimeAsync(200)
    const { left, ended } = await run
    await ended
    expect([begun, left, most(), running()]).toEqual([items, [], 2, 0])
  })

  it('goes on as long as one ends in time, also while another does not', async () => {
    const { work, begun } = timed()
    const items = [60_000, ...Array<number>(20).fill(900)]
    const run = runConcurrently(items, LIMITS, work)
    await vi.advanceTimersByTimeAsync(20 * 900)
    expect((await run).left).toEqual([])
    expect(begun).toEqual(items)
  })

  it('leaves the rest when none ends in time, without waiting for running ones', async () => {
    const { work, begun, running } = timed()
    const run = runConcurrently([15_000, 15_000, 1, 2, 3], LIMITS, work)
    await vi.advanceTimersByTimeAsync(1_000)
    const { left, ended } = await run
    expect([begun, left, running()]).toEqual([[15_000, 15_000], [1, 2, 3], 2])
    await vi.advanceTimersByTimeAsync(14_000)
    await ended
    expect(running()).toBe(0)
  })

  it('has nothing to do with nothing, and leaves no timer', async () => {
    const { work } = timed()
    const started = vi.spyOn(globalThis, 'setTimeout')
    const ended = vi.spyOn(globalThis, 'clearTimeout')
    expect((await runConcurrently([], LIMITS, work)).left).toEqual([])
    const run = runConcurrently([1, 1, 1], LIMITS, work)
    await vi.advanceTimersByTimeAsync(2)
    await (await run).ended
    const timers = started.mock.calls.flatMap(([, ms], call) =>
      ms === LIMITS.patienceMs ? [started.mock.results[call]?.value] : [],
    )
    expect(timers.length).toBeGreaterThan(0)
    expect(ended.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers))
  })
})

describe('gathered', () => {
  it('hands on the first at once, then together what has come in meanwhile, each once', async () => {
    const handed: number[][] = []
    const { add, empty } = gathered<number>(async (items) => {
      handed.push(items)
      await new Promise((resolve) => setTimeout(resolve, 10))
    })
    for (const n of [1, 2, 3]) add(n)
    await vi.advanceTimersByTimeAsync(15)
    add(4)
    await vi.advanceTimersByTimeAsync(100)
    await empty()
    add(5)
    const last = empty()
    await vi.advanceTimersByTimeAsync(10)
    await last
    expect(handed).toEqual([[1], [2, 3], [4], [5]])
  })
})
