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
 * plan. The only place where they stand. Those of KV and Queues were read from transcriptions of the pages
 * named, the others from the pages.
 */
export const prices = {
  workerRequests: { usd: 0.3, per: 'million requests', source: WORKERS, date: '2026-11-22' },
  workerCpuMs: { usd: 0.02, per: 'million milliseconds of CPU', source: WORKERS, date: '2026-11-22' },
  kvReads: { usd: 0.5, per: 'million keys read', source: KV, date: '2026-11-22' },
  kvWrites: { usd: 5, per: 'million keys written', source: KV, date: '2026-11-22' },
  queueOperations: { usd: 0.4, per: 'million operations of up to 64 KB', source: QUEUES, date: '2026-11-22' },
  postgresCompute: { usd: 0.106, per: 'hour of a compute unit', source: NEON, date: '2026-11-12' },
} as const satisfies Record<string, Price>

/** Neon's smallest compute, in compute units (NEON, 2026-11-23). */
export const SMALLEST_COMPUTE_UNITS = 0.25
/** Hours of a compute unit that Neon's free plan has in a month (the same). */
export const FREE_UNIT_HOURS = 100
