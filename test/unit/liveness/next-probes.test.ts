import { describe, expect, it } from 'vitest'
import { nextProbes } from '../../../lib/liveness/next-probes.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SCHEDULED_RUN = Date.parse('2026-11-20T06:07:00Z')
const at = (ms: number) => new Date(SCHEDULED_RUN + ms)
const none = { first: null, others: null }
const atOnce = (ms: number) => ({ at: SCHEDULED_RUN + ms, by: SCHEDULED_RUN + ms })
const due = (ms: number) => ({ at: SCHEDULED_RUN + ms, by: SCHEDULED_RUN + ms + 3 * MINUTE })

describe('the next job run', () => {
  it('does not exist when nothing is due', () => {
    expect(nextProbes(none, false, at(0))).toBeUndefined()
  })

  it('is at the next scheduled run, or sooner for a first probe', () => {
    expect(nextProbes({ ...none, others: at(6 * HOUR) }, false, at(MINUTE))).toEqual(due(6 * HOUR))
    const first = { first: at(2 * HOUR), others: at(6 * HOUR) }
    expect(nextProbes(first, false, at(MINUTE))).toEqual(due(2 * HOUR))
    expect(nextProbes({ ...none, others: at(90 * MINUTE) }, false, at(MINUTE))).toEqual(due(90 * MINUTE))
  })

  it('is at once while more is due, for an hour after a scheduled run', () => {
    const more = { first: null, others: at(0) }
    expect(nextProbes(more, false, at(59 * MINUTE))).toEqual(atOnce(59 * MINUTE))
    expect(nextProbes({ ...more, others: at(MINUTE) }, false, at(MINUTE))).toEqual(atOnce(MINUTE))
    expect(nextProbes(more, false, at(HOUR))).toEqual(due(6 * HOUR))
    expect(nextProbes({ ...more, first: at(2 * HOUR) }, false, at(HOUR))).toEqual(due(2 * HOUR))
  })

  it('is at once for due first probes and for new endpoints', () => {
    expect(nextProbes({ first: at(3 * HOUR), others: null }, false, at(3 * HOUR))).toEqual(atOnce(3 * HOUR))
    expect(nextProbes(none, true, at(3 * HOUR))).toEqual(atOnce(3 * HOUR))
  })
})
