import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import type { Wallet } from '../../schema/wallet.ts'

/** Arguments of lease_deliveries: the product's limits, for a clock that is never behind. */
export const leaseRules = (now: Date) => ({
  ...{ now, newChallenge: 'a challenge', trustedHosts: [] },
  limits: { ...SQL_LIMITS, toleranceMs: 0 },
})

/** Arguments of record_attempts, besides the lease and its results. */
export const recordRules = (now: Date) => ({
  ...{ now, trustedHosts: [] as string[], isShared: false, limits: SQL_LIMITS },
})

/** Walks over endpoints with pending deliveries, within limits. */
export const walkEndpoints = (
  db: Db,
  { steps = 10, limit = 10, now = new Date(0), givenUpAtOnce = 10_000 },
) => postgres.nextDeliveries.call(db, { steps, limit, now, limits: { ...SQL_LIMITS, givenUpAtOnce } })

/** A webhook endpoint with a destination. */
type Endpoint = { id: string; kind?: 'agent' | 'wallet'; wallet: Wallet; url: string }

/** Returns a result for record_attempts: a prompt answer by its code, or what is given instead. */
export const resultOf = (
  { id, kind = 'agent', wallet, url }: Endpoint,
  eventId: string,
  { code = 204, ...given }: { code?: number; [column: string]: unknown } = {},
) => ({
  ...{ endpoint_id: id, kind, wallet, url, event_id: eventId },
  ...{ step: code < 300 ? 'delivered' : code === 410 ? 'gone' : 'retry', next_attempt_at: new Date(0) },
  ...{ response_code: code, duration_ms: 1, is_prompt: code < 300, pause_ms: 0, ...given },
})

type JobsDeps = Pick<DeliverDeps, 'enqueue' | 'schedule' | 'leases'>

/** Work that is due later: the time until then, and its tolerance. */
type Later = { inMs: number; toleranceMs: number }

/**
 * A queue and a Clock that store which endpoints they were called for, and the work that is due later.
 */
export function recordedNotifications(now: Date) {
  const toNotify: string[] = []
  const later: Later[] = []
  /** Runs that have begun and not ended, with the end of each lease. */
  const open = new Map<string, Date>()
  const deps: JobsDeps = {
    enqueue: async (ids) => void toNotify.push(...ids),
    schedule: (_kind, at, by = at) =>
      void later.push({ inMs: at.getTime() - now.getTime(), toleranceMs: by.getTime() - at.getTime() }),
    leases: { begin: async (id, until) => void open.set(id, until), end: async (id) => void open.delete(id) },
  }
  return { toNotify, later, open, deps }
}

/** A queue and a Clock that accept every call and store nothing. */
export const { deps: deaf } = recordedNotifications(new Date(0))
