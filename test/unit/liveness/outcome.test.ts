import { expect, it } from 'vitest'
import { outcomeOf } from '../../../lib/liveness/outcome.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const live = (isAuthRequired: boolean) => ({ kind: 'live', latencyMs: 7, isAuthRequired })

it.each([
  [200, live(false)],
  [299, live(false)],
  [300, { kind: 'failed' }],
  [302, { kind: 'failed' }],
  [304, live(false)],
  [400, { kind: 'failed' }],
  [401, live(true)],
  [402, live(true)],
  [403, live(true)],
  [404, { kind: 'failed' }],
  [405, live(false)],
  [429, { kind: 'busy', retryAfterMs: 60_000 }],
  [500, { kind: 'failed' }],
  [503, { kind: 'busy', retryAfterMs: 60_000 }],
])('derives the outcome of an answer with status %i', (status, outcome) => {
  const headers = new Headers({ 'retry-after': '60' })
  expect(outcomeOf({ status, headers, latencyMs: 7 }, NOW)).toEqual(outcome)
})
