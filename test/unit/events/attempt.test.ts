import { afterEach, expect, it, vi } from 'vitest'
import { attempt } from '../../../lib/events/sending/attempt.ts'
import type { DeliverDeps } from '../../../lib/events/sending/deps.ts'

afterEach(() => vi.restoreAllMocks())

it('gives an endpoint 15 seconds to answer, and says when it has not', async () => {
  const over = AbortSignal.timeout(0)
  const limiting = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over)
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_url, init) =>
      new Promise((_resolve, reject) => {
        const signal = init?.signal as AbortSignal
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const deps = {
    clock: () => new Date(),
    elapsed: () => performance.now(),
    apiHost: 'api.agentcred.example',
    signingKeys: async () => [],
  } as unknown as DeliverDeps
  const endpoint = {
    id: 'id',
    kind: 'agent',
    wallet: 'wallet',
    url: 'https://hooks.example.com/',
    secrets: [],
  }
  const event = { id: 'id', type: 'hire.created', occurredAt: new Date(), data: {} }
  const result = await attempt(deps, endpoint as never, event as never)
  expect(result).toMatchObject({ failure: 'timeout' })
  expect(limiting.mock.calls).toEqual([[15_000]])
})
