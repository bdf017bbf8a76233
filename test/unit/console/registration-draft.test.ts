import { afterEach, expect, it, vi } from 'vitest'
import type { Client } from '../../../lib/client/index.ts'
import { bodyOf, EMPTY, messageFor } from '../../../lib/console/views/developer/registration-draft.ts'

const DRAFT = { ...EMPTY, pubkey: 'key', name: 'One' }

it('leaves out what was not filled in, and the protocol that is not said', () => {
  expect(bodyOf(DRAFT)).toEqual({
    pubkey: 'key',
    name: 'One',
    agentType: 'data',
    feeModel: 'free',
    capabilities: [],
  })
})

it('says a fee only where something is charged', () => {
  expect(bodyOf({ ...DRAFT, feeModel: 'flat', feeAmount: '7' })).toMatchObject({ feeAmount: 7 })
  expect(bodyOf({ ...DRAFT, feeModel: 'flat', feeAmount: '1.000' })).toMatchObject({ feeAmount: 1000 })
  expect(bodyOf({ ...DRAFT, feeModel: 'free', feeAmount: '7' })).not.toHaveProperty('feeAmount')
})

it('reads the manifest as JSON, and names its field when it is invalid', () => {
  expect(bodyOf({ ...DRAFT, serviceManifest: '{"version":1}' }).serviceManifest).toEqual({ version: 1 })
  expect(() => bodyOf({ ...DRAFT, serviceManifest: '{' })).toThrow(
    expect.objectContaining({ errors: [{ path: 'serviceManifest', message: 'must be valid JSON' }] }),
  )
})

const NOW = 1_795_000_000_000

afterEach(() => {
  vi.useRealTimers()
})

/** A service whose clock is as far ahead of this machine's. */
function serviceAhead(aheadMs: number) {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const call = vi.fn(async (_name: string, { body }: { body: { timestamp: number } }) => ({
    skewMs: body.timestamp - (NOW + aheadMs),
  }))
  return { client: { call } as unknown as Client, call }
}

it.each([0, 59_000, -59_000])('a clock that is %d ms off signs at its own time', async (aheadMs) => {
  const { client, call } = serviceAhead(aheadMs)
  expect((await messageFor(client, bodyOf(DRAFT))).body.timestamp).toBe(NOW)
  expect(call).toHaveBeenCalledTimes(1)
})

it.each([61_000, -3_600_000, 30 * 86_400_000])(
  'a clock that is %d ms off signs at the time of the service',
  async (aheadMs) => {
    const { client, call } = serviceAhead(aheadMs)
    expect((await messageFor(client, bodyOf(DRAFT))).body.timestamp).toBe(NOW + aheadMs)
    expect(call).toHaveBeenCalledTimes(2)
  },
)
