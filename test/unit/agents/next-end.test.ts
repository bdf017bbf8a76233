import { describe, expect, it } from 'vitest'
import { nextEnd } from '../../../lib/agents/hiring/record-due.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SCHEDULED_RUN = Date.parse('2026-11-20T06:07:00Z')
const at = (ms: number) => new Date(SCHEDULED_RUN + ms)
const due = (ms: number) => ({ at: SCHEDULED_RUN + ms, by: SCHEDULED_RUN + ms + 10 * MINUTE })

describe('the next job run for hires', () => {
  it('does not exist without active hires', () => {
    expect(nextEnd({ first: null, wanted: null }, at(0))).toBeUndefined()
  })

  it('is the scheduled run at or after the first end', () => {
    expect(nextEnd({ first: at(HOUR), wanted: null }, at(0))).toEqual(due(6 * HOUR))
    expect(nextEnd({ first: at(6 * HOUR), wanted: null }, at(0))).toEqual(due(6 * HOUR))
    expect(nextEnd({ first: at(31 * HOUR), wanted: null }, at(0))).toEqual(due(36 * HOUR))
  })

  it('is at an urgent end before the scheduled run', () => {
    expect(nextEnd({ first: at(HOUR), wanted: at(2 * HOUR) }, at(0))).toEqual(due(2 * HOUR))
    expect(nextEnd({ first: at(HOUR), wanted: at(6.5 * HOUR) }, at(0))).toEqual(due(6 * HOUR))
  })

  it('is in a minute when another transaction holds a lock', () => {
    expect(nextEnd({ first: at(-HOUR), wanted: null }, at(0))).toEqual(due(MINUTE))
  })
})
