import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deps } from '../../../functions/root/deps.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { noncesAnswer } from '../../../lib/auth/nonces.ts'
import { checkAll, health, PROBE_TIMEOUT_MS, type Probe } from '../../../lib/http/health.ts'
import { createSubrequestCounter } from '../../../lib/runtime/subrequests.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const elapsed = () => performance.now()
const answering =
  (ms: number, answer: unknown = true): Probe =>
  () =>
    new Promise((resolve) => setTimeout(() => resolve(answer as boolean), ms))
const up = { database: answering(1), kv: answering(1), rpc: answering(1) }

/** Returns the checks of a deep answer, or those in its error. */
async function checksOf(probes: Parameters<typeof checkAll>[0]['probes']) {
  const answer = health({ deep: '1' }, () => checkAll({ probes, elapsed })).then(
    ({ checks }) => checks,
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      expect(error.code).toBe('dependency_unavailable')
      return error.details.checks
    },
  )
  await vi.advanceTimersByTimeAsync(PROBE_TIMEOUT_MS)
  return answer
}

describe('health', () => {
  it('probes nothing unless it is deep', async () => {
    const never = () => {
      throw new Error('asked')
    }
    for (const deep of [undefined, '0'] as const) {
      expect(await health({ deep }, never)).toEqual({ status: 'ok' })
    }
  })

  it('probes all systems concurrently, measures each, and leaves no timer', async () => {
    const started = vi.spyOn(globalThis, 'setTimeout')
    const ended = vi.spyOn(globalThis, 'clearTimeout')
    const checks = await checksOf({ database: answering(200), kv: answering(2_900), rpc: answering(30) })
    expect(checks).toEqual({
      database: { status: 'up', latencyMs: 200 },
      kv: { status: 'up', latencyMs: 2_900 },
      rpc: { status: 'up', latencyMs: 30 },
    })
    // Not all of the process's timers: other files share it, and so do the connections that they made.
    const timers = started.mock.calls.flatMap(([, ms], call) =>
      ms === PROBE_TIMEOUT_MS ? [started.mock.results[call]?.value] : [],
    )
    expect(timers).toHaveLength(3)
    expect(ended.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers))
  })

  const broken: [string, unknown][] = [
    ['throws', () => Promise.reject(new Error('secret'))],
    [
      'throws before there is a promise',
      () => {
        throw new TypeError('secret')
      },
    ],
    ['throws what is no error', () => Promise.reject('secret')],
    ['says no', answering(1, false)],
    ['answers nothing', answering(1, null)],
    ['answers nonsense', answering(1, 'true')],
    ['is no function', undefined],
  ]
  it.each(broken)('reports as down only the probe that %s', async (_what, probe) => {
    for (const name of ['database', 'kv', 'rpc'] as const) {
      const checks = await checksOf({ ...up, [name]: probe as Probe })
      expect(checks?.[name]?.status).toBe('down')
      expect(Object.values(checks ?? {}).filter((check) => check?.status === 'down')).toHaveLength(1)
    }
  })

  it('waits at most three seconds', async () => {
    const late: Probe = () =>
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('secret')), PROBE_TIMEOUT_MS + 1))
    const checks = await checksOf({ ...up, kv: () => new Promise(() => {}), rpc: late })
    expect(PROBE_TIMEOUT_MS).toBe(3_000)
    expect(checks).toMatchObject({
      database: { status: 'up' },
      kv: { status: 'down', latencyMs: 3_000 },
      rpc: { status: 'down', latencyMs: 3_000 },
    })
    // A rejection that nobody handles would fail this run.
    await vi.advanceTimersByTimeAsync(1_000)
  })

  it('names the systems that are down, to the caller and in the log', async () => {
    const { database } = up
    const down: Probe = () => Promise.reject(new Error('postgresql://user:password@db'))
    const probes = { database, kv: down, rpc: down }
    const refused = health({ deep: '1' }, () => checkAll({ probes, elapsed })).catch(
      (error: unknown) => error,
    )
    await vi.advanceTimersByTimeAsync(10)
    const refusal = (await refused) as ApiError
    expect(refusal.message).toBe('Down: kv, rpc.')
    expect(refusal.cause).toEqual(new Error('down: kv, rpc'))
    expect(refusal.details.retryAfterSeconds).toBe(5)
  })

  it('reports a missing binding as down', async () => {
    const scope = {
      requestId: 'health',
      now: new Date(),
      clock: () => new Date(),
      elapsed,
      background: () => {},
      subrequests: createSubrequestCounter(),
    }
    const { probes } = deps({} as Cloudflare.RootEnv, scope)
    const checks = await checksOf(probes)
    expect(Object.values(checks ?? {}).map((check) => check?.status)).toEqual(['down', 'down', 'down'])
  })

  it('omits the RPC node if there is none', async () => {
    const { database, kv } = up
    expect(Object.keys((await checksOf({ database, kv })) ?? {})).toEqual(['database', 'kv'])
  })
})

describe('the probe of KV', () => {
  const probing = (get: () => unknown) => noncesAnswer({ get } as unknown as KVNamespace)

  it('answers true when KV returns null', async () => {
    expect(await probing(async () => null)).toBe(true)
    expect(await probing(async () => 'something')).toBe(false)
    expect(await probing(async () => undefined)).toBe(false)
  })

  it('answers false when KV throws', async () => {
    expect(await probing(() => Promise.reject(new Error('KV GET failed: 500')))).toBe(false)
    expect(
      await probing(() => {
        throw new Error('KV GET failed: 500')
      }),
    ).toBe(false)
  })
})
