import { afterEach, expect, it, vi } from 'vitest'
import { attempt } from '../../../lib/events/sending/attempt.ts'
import type { DeliverDeps } from '../../../lib/events/sending/deps.ts'

afterEach(() => vi.restoreAllMocks())

const depsWith = (changes: object = {}) =>
  ({
    clock: () => new Date(),
    elapsed: () => performance.now(),
    apiHost: 'api.agentcred.example',
    signingKeys: async () => [],
    ...changes,
  }) as unknown as DeliverDeps

const endpointWith = (secrets: string[]) =>
  ({ id: 'id', kind: 'agent', wallet: 'wallet', url: 'https://hooks.example.com/', secrets }) as never

const EVENT = { id: 'id', type: 'hire.created', timestamp: '', data: '{}', agentName: null } as never

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
  const result = await attempt(depsWith(), endpointWith([]), EVENT)
  expect(result).toMatchObject({ failure: 'timeout' })
  expect(limiting.mock.calls).toEqual([[15_000]])
})

/** Attempts with a newest and a previous secret, of which these can't be decrypted. */
async function attemptWithout(...lost: string[]) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }))
  const alert = vi.fn()
  const open = async (_id: string, secret: string) => {
    if (lost.includes(secret)) throw new Error('no key opens it')
    return new Uint8Array(24)
  }
  const deps = depsWith({ alert, secretKeys: async () => ({ open }) })
  const result = await attempt(deps, endpointWith(['newest', 'previous']), EVENT).catch(String)
  return { result, alerts: alert.mock.calls.length, requests: sent.mock.calls.length }
}

it('signs with the secrets that can be decrypted, and alerts about others', async () => {
  const delivered = { result: expect.objectContaining({ code: 204 }), requests: 1 }
  expect(await attemptWithout()).toEqual({ ...delivered, alerts: 0 })
  vi.restoreAllMocks()
  expect(await attemptWithout('previous')).toEqual({ ...delivered, alerts: 1 })
})

it('sends nothing, and alerts, when the newest secret can not be decrypted', async () => {
  const nothing = { result: 'Error: no key opens it', requests: 0, alerts: 1 }
  expect(await attemptWithout('newest')).toEqual(nothing)
  expect(await attemptWithout('newest', 'previous')).toEqual(nothing)
})
