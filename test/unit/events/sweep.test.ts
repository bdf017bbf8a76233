import { afterEach, expect, it, vi } from 'vitest'
import * as postgres from '../../../lib/db/functions.ts'
import type { DeliverDeps } from '../../../lib/events/sending/deps.ts'
import { sweepDeliveries } from '../../../lib/events/sending/sweep.ts'

const NOW = new Date('2026-11-27T12:00:00.000Z')

afterEach(() => vi.restoreAllMocks())

/** The answer of a statement that has found no due endpoint, and not reached the last one. */
const MIDDLE = {
  ...{ endpointIds: [], urls: [], dueCount: 0, nextAt: null, urgentAt: null },
  ...{ isFirst: false, isLast: false, givenUp: 0 },
}

it('ends a sweep after fifty statements, and continues after a minute, in a walk without an end', async () => {
  const walk = vi.spyOn(postgres.nextDeliveries, 'call').mockResolvedValue(MIDDLE)
  const deps = { clock: () => NOW, enqueue: async () => {} } as unknown as DeliverDeps
  const { next } = await sweepDeliveries(deps)
  expect(walk).toHaveBeenCalledTimes(50)
  expect(next?.at).toBe(NOW.getTime() + 60_000)
})
