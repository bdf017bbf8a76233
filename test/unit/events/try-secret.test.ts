import { expect, it, vi } from 'vitest'
import { trySecret } from '../../../lib/events/secrets/try-secret.ts'

const AGENT = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
const MADE = { secret: 'whsec_a', encrypted: '1:b' }

it('returns the secret that was made for the agent', async () => {
  const make = vi.fn(async () => MADE)
  expect(await trySecret({ make }, AGENT)).toEqual(MADE)
  expect(make.mock.calls).toEqual([[AGENT]])
})

it.each([
  ['hangs', () => new Promise<never>(() => {}), 'TimeoutError'],
  ['throws', () => Promise.reject(new TypeError('whsec_a')), 'TypeError'],
  [
    'is not bound',
    () => {
      throw new TypeError('make is not a function')
    },
    'TypeError',
  ],
])('returns none when jobs %s, and logs why without the message', async (_how, make, reason) => {
  vi.useFakeTimers()
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const tried = trySecret({ make }, AGENT)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await tried).toBeUndefined()
    const [[line = ''] = []] = error.mock.calls
    expect(JSON.parse(line)).toMatchObject({ secrets: 'make', agentId: AGENT, reason })
    expect(line).not.toContain('whsec_')
  } finally {
    error.mockRestore()
    vi.useRealTimers()
  }
})
