import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../../lib/client/index.ts'

/** Members of signals that React Native does not have. */
const MISSING = [
  [AbortSignal, 'any'],
  [AbortSignal, 'timeout'],
  [AbortSignal.prototype, 'throwIfAborted'],
  [AbortSignal.prototype, 'reason'],
] as const
let removed: (PropertyDescriptor | undefined)[]

beforeEach(() => {
  removed = MISSING.map(([object, name]) => Object.getOwnPropertyDescriptor(object, name))
  for (const [object, name] of MISSING) Reflect.deleteProperty(object, name)
})
afterEach(() => {
  vi.useRealTimers()
  for (const [index, [object, name]] of MISSING.entries())
    Object.defineProperty(object, name, removed[index] ?? {})
})

/** A fetch that never answers, and rejects when its signal is aborted, as React Native's does. */
const hangingFetch = vi.fn(
  (_url: unknown, init?: { signal?: AbortSignal | null }) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('Aborted')))
    }),
) as unknown as typeof fetch & ReturnType<typeof vi.fn>

const clientOf = (fetch: unknown) =>
  createClient({ baseUrl: 'https://api.example.com/v1', fetch: fetch as typeof globalThis.fetch, retries: 0 })

describe('the client in React Native', () => {
  it('reads an answer, and writes its query', async () => {
    const fetch = vi.fn(async (_url: string) => new Response('{"agents":[],"count":0}'))
    const client = clientOf(fetch)
    const { signal } = new AbortController()
    expect(await client.call('GET /agents', { query: { layer: 17, q: 'a b' }, signal })).toMatchObject({
      count: 0,
    })
    expect(fetch.mock.calls[0]?.[0]).toBe('https://api.example.com/v1/agents?layer=17&q=a+b')
  })

  it('rejects with an AbortError when a signal is aborted', async () => {
    const controller = new AbortController()
    const asked = clientOf(hangingFetch).call('GET /agents', { signal: controller.signal })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('sends nothing when a signal was aborted before', async () => {
    const controller = new AbortController()
    controller.abort()
    hangingFetch.mockClear()
    const { signal } = controller
    await expect(clientOf(hangingFetch).call('GET /agents', { signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(hangingFetch).not.toHaveBeenCalled()
  })

  it('rejects with unreachable when the time for an answer is over', async () => {
    vi.useFakeTimers()
    const asked = clientOf(hangingFetch).call('GET /agents')
    const refused = expect(asked).rejects.toMatchObject({ code: 'unreachable' })
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })
})
