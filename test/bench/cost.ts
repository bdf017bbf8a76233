import { HOUR_MS } from '../../lib/time.ts'
import { prices, SMALLEST_COMPUTE_UNITS } from './prices.ts'

/** What one request uses, or one action of several requests. */
export type Usage = {
  requests: number
  cpuMs: number
  kvReads: number
  kvWrites: number
  /** Messages sent on queues. */
  queueMessages: number
  /** Time of Postgres' processors. */
  postgresCpuMs: number
}

/** US dollars for a million of them, and of what they are made. */
type Cost = {
  requests: number
  cpu: number
  kv: number
  queue: number
  postgres: number
  total: number
}

/** A message is written, read and deleted. */
export const OPERATIONS_PER_MESSAGE = 3

/**
 * A compute unit is about 4 GB of memory with the processor that belongs to it, taken as one; nobody keeps
 * all of it busy.
 */
const MS_PER_UNIT_HOUR = 3_600_000

/**
 * What a million of them cost at published prices, beyond what plans include: not what a bill says, which
 * also has idle compute, storage and the plans themselves.
 */
export function costOfMillion(usage: Usage): Cost {
  const parts = {
    requests: usage.requests * prices.workerRequests.usd,
    cpu: usage.cpuMs * prices.workerCpuMs.usd,
    kv: usage.kvReads * prices.kvReads.usd + usage.kvWrites * prices.kvWrites.usd,
    queue: usage.queueMessages * OPERATIONS_PER_MESSAGE * prices.queueOperations.usd,
    postgres: ((usage.postgresCpuMs * 1_000_000) / MS_PER_UNIT_HOUR) * prices.postgresCompute.usd,
  }
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) }
}

/** A database sleeps after so long without a statement: Neon's default. */
const SUSPENDED_AFTER_MS = 5 * 60_000

/** Returns the hours that a database is awake if it is asked at these times, in Unix milliseconds. */
export function hoursAwake(times: number[]): number {
  let until = -Infinity
  let awakeMs = 0
  for (const at of times.toSorted((one, other) => one - other)) {
    const sleepsAt = at + SUSPENDED_AFTER_MS
    awakeMs += sleepsAt - Math.max(at, until)
    until = sleepsAt
  }
  return awakeMs / HOUR_MS
}

/** What so many hours of the smallest compute cost, in US dollars. */
export const costAwake = (hours: number): number =>
  hours * SMALLEST_COMPUTE_UNITS * prices.postgresCompute.usd
