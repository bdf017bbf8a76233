import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countProbe,
  type DayCounts,
  isRobotsDue,
  nextState,
  type Outcome,
  type ProbeState,
  type Seen,
  uptimeOf,
} from '../../../lib/liveness/probe-state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A scheduled run. */
const START = Date.parse('2026-11-20T00:07:00Z')

const fresh: ProbeState = {
  status: 'unknown',
  checkedAt: null,
  latencyMs: null,
  isAuthRequired: false,
  cardStatus: 'none',
  card: null,
  etag: null,
  identifier: null,
  identifies: null,
  manifestEtag: null,
  failingSince: null,
  failures: 0,
  countedDay: 0,
  dayChecks: [],
  daySuccesses: [],
  uptime30d: null,
  robotsReadAt: null,
  isOptedOut: false,
  nextProbeAt: null,
}
const live: Outcome = { kind: 'live', latencyMs: 42, isAuthRequired: false }
const failed: Outcome = { kind: 'failed' }

const probed = (before: ProbeState, outcome: Outcome, ms: number, seen: Partial<Seen> = {}, isUsed = true) =>
  nextState(before, { outcome, ...seen }, { now: new Date(START + ms), isUsed })

/** Probes whenever the state before says, until it says never. */
function failUntilGivenUp(before: ProbeState): { states: ProbeState[]; at: number[] } {
  const states = [probed(before, failed, 0)]
  const at = [0]
  for (let next = states.at(-1)?.nextProbeAt; next; next = states.at(-1)?.nextProbeAt) {
    at.push(next.getTime() - START)
    states.push(probed(states.at(-1) as ProbeState, failed, next.getTime() - START))
  }
  return { states, at }
}

describe('the state after a probe', () => {
  it('is live after one success, and next due at the next scheduled run', () => {
    expect(probed(fresh, live, 0)).toMatchObject({
      status: 'live',
      checkedAt: new Date(START),
      latencyMs: 42,
      uptime30d: 1,
      nextProbeAt: new Date(START + 6 * HOUR),
    })
  })

  it('is down after two failures in a row, and live again after one success', () => {
    const once = probed(probed(fresh, live, 0), failed, HOUR)
    expect(once).toMatchObject({ status: 'live', failures: 1, uptime30d: 0.5 })
    expect(probed(fresh, failed, 0).status).toBe('unknown')
    const twice = probed(once, failed, 2 * HOUR)
    expect(twice.status).toBe('down')
    expect(probed(twice, live, 3 * HOUR)).toMatchObject({ status: 'live', failures: 0, failingSince: null })
  })

  it('is due at each scheduled run for three days, daily until thirty, then never', () => {
    const { states, at } = failUntilGivenUp(probed(fresh, live, -6 * HOUR))
    expect(at.slice(0, 13)).toEqual(Array.from({ length: 13 }, (_, n) => n * 6 * HOUR))
    expect(at.slice(13)).toEqual(Array.from({ length: 27 }, (_, n) => (n + 4) * DAY))
    expect(states.slice(1, -1).every(({ status }) => status === 'down')).toBe(true)
    expect(states.at(-1)).toMatchObject({ status: 'unknown', nextProbeAt: null })
  })

  it('is due three times, a day and three days apart, if it never answered', () => {
    const { states, at } = failUntilGivenUp(fresh)
    expect(at).toEqual([0, DAY, 4 * DAY])
    expect(states.map(({ status }) => status)).toEqual(['unknown', 'down', 'unknown'])
    // Named anew it has one more probe.
    expect(probed(states.at(-1) as ProbeState, failed, 40 * DAY).nextProbeAt).toBeNull()
    expect(probed(states.at(-1) as ProbeState, live, 40 * DAY).status).toBe('live')
  })

  it('stays the same when the host asks to wait, for up to a week', () => {
    const before = probed(fresh, live, 0)
    const busy = (retryAfterMs: number) => probed(before, { kind: 'busy', retryAfterMs }, HOUR)
    expect(busy(DAY)).toEqual({ ...before, nextProbeAt: new Date(START + DAY + 6 * HOUR) })
    expect(busy(0)).toEqual({ ...before, nextProbeAt: new Date(START + 12 * HOUR) })
  })

  it('is unknown while robots.txt opts out, which is read again after a day', () => {
    const before = probed(fresh, live, 0)
    const out = probed(before, { kind: 'opted_out' }, HOUR, { robots: { isOptedOut: true } })
    expect(out).toMatchObject({
      status: 'unknown',
      isOptedOut: true,
      robotsReadAt: new Date(START + HOUR),
      nextProbeAt: new Date(START + DAY),
      uptime30d: null,
    })
  })

  it('skips a scheduled run within the hour after the probe', () => {
    const nextAfter = (ms: number) => (probed(fresh, live, ms).nextProbeAt?.getTime() ?? 0) - START
    expect([0, HOUR - 1, 4 * HOUR, 5.5 * HOUR].map(nextAfter)).toEqual([6, 6, 12, 12].map((n) => n * HOUR))
  })

  it('is due with the daily job run when no agent was used lately', () => {
    const nextAfter = (ms: number) => (probed(fresh, live, ms, {}, false).nextProbeAt?.getTime() ?? 0) - START
    expect([0, HOUR, 11 * HOUR, 13 * HOUR].map(nextAfter)).toEqual([1, 1, 1, 2].map((n) => n * DAY))
  })

  it.each([
    ['that is looked at once a day', live, false, 1],
    ['whose robots.txt opts out', { kind: 'opted_out' } as const, true, 1],
    ['that is looked at at each tick', live, true, 4],
  ])(
    'of an endpoint %s has read robots.txt within a day of any first probe',
    (_title, outcome, isUsed, probes) => {
      for (let minute = 0; minute < 24 * 60; minute += 1) {
        const robots = { isOptedOut: outcome.kind === 'opted_out' }
        let now = new Date(START + minute * 60_000)
        let state = nextState(fresh, { outcome, robots }, { now, isUsed })
        const isRead = Array.from({ length: probes + 1 }, () => {
          now = state.nextProbeAt as Date
          const isDue = isRobotsDue(state, { now, isUsed })
          state = nextState(state, { outcome, ...(isDue ? { robots } : {}) }, { now, isUsed })
          return isDue
        })
        expect([minute, isRead.filter(Boolean).length]).toEqual([minute, probes === 1 ? 2 : 1])
      }
    },
  )

  it('stores a card that was read, and keeps the former one otherwise', () => {
    const served = { etag: '"1"', cardStatus: 'signed', card: '{}' } as const
    const state = probed(fresh, live, 0, { served })
    expect(state).toMatchObject(served)
    expect(probed(state, live, HOUR)).toMatchObject(served)
    expect(probed(state, failed, HOUR)).toMatchObject(served)
  })

  it('has no card while down, opted out or given up', () => {
    const served = { etag: '"1"', cardStatus: 'verified', card: '{}' } as const
    const state = probed(fresh, live, 0, { served })
    const none = { etag: null, cardStatus: 'none', card: null }
    expect(probed(probed(state, failed, HOUR), failed, 2 * HOUR)).toMatchObject({ status: 'down', ...none })
    expect(probed(state, { kind: 'opted_out' }, HOUR)).toMatchObject({ status: 'unknown', ...none })
    const givenUp = failUntilGivenUp(state).states.at(-1)
    expect(givenUp).toMatchObject({ status: 'unknown', uptime30d: null, latencyMs: null, ...none })
  })
})

describe('uptime', () => {
  const none: DayCounts = { countedDay: 0, dayChecks: [], daySuccesses: [] }
  const countAll = (probes: readonly (readonly [day: number, isUp: boolean])[]) =>
    probes.reduce((counts, [day, isUp]) => countProbe(counts, new Date(START + day * DAY), isUp), none)

  it('is the share of successes in thirty days, in a row that does not grow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(100), fc.boolean()), { minLength: 1, maxLength: 200 }),
        (unordered) => {
          const probes = unordered.toSorted(([a], [b]) => a - b)
          const counts = countAll(probes)
          const last = probes.at(-1)?.[0] ?? 0
          const recent = probes.filter(([day]) => day > last - 30)
          expect(uptimeOf(counts)).toBeCloseTo(recent.filter(([, isUp]) => isUp).length / recent.length, 10)
          expect(counts.dayChecks.length).toBeLessThanOrEqual(30)
          expect(counts.daySuccesses).toHaveLength(counts.dayChecks.length)
        },
      ),
    )
  })

  it('is null before the first probe, and handles a clock that is set back', () => {
    expect(uptimeOf(none)).toBeNull()
    expect(
      uptimeOf(
        countAll([
          [5, true],
          [2, false],
        ]),
      ),
    ).toBe(0.5)
  })
})
