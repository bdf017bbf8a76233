import { expect, it } from 'vitest'
import type { ListedRoute } from '../../../lib/client/generated/types.ts'
import { isBeingChecked } from '../../../lib/console/views/selling/route-state.ts'

const NOW = Date.parse('2026-11-28T12:00:00.000Z')
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString()

type Route = Pick<ListedRoute, 'state' | 'hidden' | 'checkedAt' | 'nextCheckAt'>

it.each<[string, Partial<Route>, number | undefined, boolean]>([
  ['listed and nobody asks', { checkedAt: at(-60), nextCheckAt: at(30) }, undefined, false],
  ['listed and this page asked', { checkedAt: at(-60) }, -1, true],
  ['never checked and this page asked', {}, -1, true],
  ['checked since this page asked', { checkedAt: at(0) }, -1, false],
  ['not checked minutes after this page asked', { checkedAt: at(-600) }, -300, false],
  ['pending and due soon', { state: 'pending', nextCheckAt: at(60) }, undefined, true],
  ['pending and due in an hour', { state: 'pending', nextCheckAt: at(3_600) }, undefined, false],
  ['pending and overdue for long', { state: 'pending', nextCheckAt: at(-3_600) }, undefined, false],
  ['hidden', { state: 'pending', hidden: true, nextCheckAt: at(60) }, -1, false],
])('expects a check of a route that is %s', (_what, route, askedSeconds, expected) => {
  const askedAt = askedSeconds === undefined ? undefined : NOW + askedSeconds * 1_000
  expect(isBeingChecked({ state: 'listed', hidden: false, ...route }, askedAt, NOW)).toBe(expected)
})
