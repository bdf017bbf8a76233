/** A price in US dollars, as its owner publishes it. */
export type Price = {
  usd: number
  /** What it buys. */
  per: string
  source: string
  /** The day of the source: when it was published, or, if it does not say, read. */
  date: string
}

const WORKERS = 'https://developers.cloudflare.com/workers/platform/pricing/'
const KV = 'https://developers.cloudflare.com/kv/platform/pricing/'
const QUEUES = 'https://developers.cloudflare.com/queues/platform/pricing/'
const NEON = 'https://neon.com/docs/introduction/plans'

/**
 * Published prices beyond what a plan includes: Cloudflare's Workers Paid plan ($5 a month), Neon's Launch
 * plan. They are in no other place. The prices of KV and Queues were read from transcriptions of the named
 * pages, the others from the pages.
 */
export const prices = {
  workerRequests: { usd: 0.3, per: 'million requests', source: WORKERS, date: '2026-11-22' },
  workerCpuMs: { usd: 0.02, per: 'million milliseconds of CPU', source: WORKERS, date: '2026-11-22' },
  kvReads: { usd: 0.5, per: 'million keys read', source: KV, date: '2026-11-22' },
  kvWrites: { usd: 5, per: 'million keys written', source: KV, date: '2026-11-22' },
  queueOperations: { usd: 0.4, per: 'million operations of up to 64 KB', source: QUEUES, date: '2026-11-22' },
  postgresCompute: { usd: 0.106, per: 'hour of a compute unit', source: NEON, date: '2026-11-12' },
  postgresStorage: { usd: 0.35, per: 'GB stored for a month', source: NEON, date: '2026-11-26' },
  postgresHistory: { usd: 0.2, per: 'GB of history kept for a month', source: NEON, date: '2026-11-26' },
} as const satisfies Record<string, Price>

/** The price of Workers Paid a month, and what it includes (WORKERS, KV, QUEUES, 2026-11-22). */
export const WORKERS_PAID = {
  usd: 5,
  workerRequests: 10_000_000,
  workerCpuMs: 30_000_000,
  kvReads: 10_000_000,
  kvWrites: 1_000_000,
  queueOperations: 1_000_000,
}

/** Neon's smallest compute, in compute units (NEON, 2026-11-23). */
export const SMALLEST_COMPUTE_UNITS = 0.25
