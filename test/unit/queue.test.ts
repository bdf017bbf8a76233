import { describe, expect, it, vi } from 'vitest'
import { sendBestEffort } from '../../lib/runtime/queue.ts'

/** A queue that keeps what each call sends, and fails the calls of `failing`. */
function recordingQueue(failing: number[] = []) {
  const calls: number[][] = []
  const work: Promise<unknown>[] = []
  const lost: number[] = []
  const sendBatch = async (messages: Iterable<{ body: number }>) => {
    calls.push([...messages].map(({ body }) => body))
    if (failing.includes(calls.length)) throw new Error('full')
  }
  const queue = { sendBatch } as unknown as Queue<number>
  const send = async (messages: number[]) => {
    const onLost = () => void lost.push(calls.length)
    sendBestEffort({ name: 'toNotify', queue, background: (some) => work.push(some), onLost }, messages)
    await Promise.all(work)
  }
  return { calls, send, lost }
}

describe('messages on a queue', () => {
  it.each([
    { count: 0, calls: [] },
    { count: 1, calls: [1] },
    { count: 100, calls: [100] },
    { count: 101, calls: [100, 1] },
    { count: 250, calls: [100, 100, 50] },
  ])('are sent a hundred a call, each once: $count', async ({ count, calls }) => {
    const queue = recordingQueue()
    const messages = Array.from({ length: count }, (_, i) => i)
    await queue.send(messages)
    expect(queue.calls.map(({ length }) => length)).toEqual(calls)
    expect(queue.calls.flat()).toEqual(messages)
  })

  it('are logged and reported to the sender when a call fails; the others are sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const queue = recordingQueue([1])
    await queue.send(Array.from({ length: 150 }, (_, i) => i))
    expect(queue.calls.map(({ length }) => length)).toEqual([100, 50])
    expect(log.mock.calls.flat().join('')).toContain('toNotify')
    expect(queue.lost).toHaveLength(1)
    log.mockRestore()
  })
})
