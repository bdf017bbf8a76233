import { afterEach, expect, it, vi } from 'vitest'
import { ask, type Question } from '../../../lib/liveness/ask.ts'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
  vi.restoreAllMocks()
})

const URL_ASKED = 'https://agent.example.com/mcp'

/** Asks a host whose answer comes in chunks of so many bytes. */
const askFor = (text: string, chunkBytes: number, read: Partial<Question['read']>) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + chunkBytes))
      at += chunkBytes
    },
  })
  globalThis.fetch = async () => new Response(body)
  const now = new Date('2026-11-20T12:00:00Z')
  const deps = { clock: () => now, apiHost: 'api.agentcred.example', until: new Date(now.getTime() + 15_000) }
  return ask(deps, URL_ASKED, { read: { maxBytes: 64 * 1024, ...read } })
}

it.each([1, 7, 64 * 1024])(
  'reads each line of an answer once, when it comes in chunks of %i bytes',
  async (chunkBytes) => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `data:{"é":${n}}`)
    const seen: string[] = []
    const answer = await askFor(`${lines.join('\n')}\n`, chunkBytes, {
      isLast: (line) => {
        seen.push(line)
        return false
      },
    })
    expect(seen).toEqual(lines)
    expect(answer?.text).toBe(`${lines.join('\n')}\n`)
  },
)

it.each([1, 3, 5, 10])('reads a body up to its limit, in chunks of %i bytes', async (chunkBytes) => {
  const read = async (text: string, cut: boolean) =>
    (await askFor(text, chunkBytes, { maxBytes: 10, cut }))?.text
  for (const cut of [false, true]) expect(await read('0123456789', cut)).toBe('0123456789')
  expect(await read('0123456789a', true)).toBe('0123456789')
  expect(await read('0123456789a', false)).toBeUndefined()
})

it('stops at the last wanted line, and sends nothing after the probe’s end', async () => {
  const answer = await askFor('one\ntwo\nthree\n', 1, { isLast: (line) => line === 'two' })
  expect(answer?.text).toBe('one\ntwo\n')
  const now = new Date()
  let asked = 0
  globalThis.fetch = async () => {
    asked += 1
    return new Response()
  }
  expect(
    await ask({ clock: () => now, apiHost: 'api.agentcred.example', until: now }, URL_ASKED),
  ).toBeUndefined()
  expect(asked).toBe(0)
})

it.each([
  [60_000, 10_000],
  [10_001, 10_000],
  [4_000, 4_000],
])('with %i ms left of a probe, waits %i ms for an answer', async (leftMs, limitMs) => {
  const limiting = vi.spyOn(AbortSignal, 'timeout')
  globalThis.fetch = async () => new Response()
  const now = new Date()
  const until = new Date(now.getTime() + leftMs)
  await ask({ clock: () => now, apiHost: 'api.agentcred.example', until }, URL_ASKED)
  expect(limiting.mock.calls).toEqual([[limitMs]])
})
