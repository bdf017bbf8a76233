import { FREE } from '../../lib/cli/setup/plans.ts'
import { OPERATIONS_PER_MESSAGE } from './cost.ts'
import { prices, SMALLEST_COMPUTE_UNITS, WORKERS_PAID } from './prices.ts'

/*
 * Computes for functions/plans.md the most that a deployment costs a month, at three loads and published
 * prices. An RPC node has its provider's price.
 */

const DAYS = 30
/** How far back Launch can go. */
const HISTORY_DAYS = 7

/** What a hire brings with it. Bytes come from functions/growth.md: the most that there can be. */
export const OF_A_HIRE = {
  /** A login, a dozen reads, the hire, a charge. */
  requests: 16,
  /** 1.5 ms each: about the most of a read, a login or a hire in test/bench/README.md. */
  cpuMs: 24,
  kvReads: 1,
  kvWrites: 1,
  /** Its events, to a webhook endpoint of each side. */
  queueMessages: 6,
  /** The hire, its end, and a charge, each with its event and deliveries. */
  bytes: 15_600 + 15_400 + 31_600,
}

/** A month: how many hires a day, and how long the compute is awake at how many units. */
type Load = { name: string; hires: number; hours: number; units: number }

export const LOADS: Load[] = [
  // The goal of functions/idle.md.
  { name: 'nobody', hires: 0, hours: 3, units: SMALLEST_COMPUTE_UNITS },
  // One every 86 seconds: it never sleeps, and has hardly anything to do.
  { name: '1,000 hires a day', hires: 1_000, hours: 24 * DAYS, units: SMALLEST_COMPUTE_UNITS },
  // As many as the requests that Workers Paid includes, at the most units that setup allows.
  { name: '20,000 hires a day', hires: 20_000, hours: 24 * DAYS, units: 2 },
]

/** US dollars a month. */
type Cost = { workers: number; compute: number; storage: number; total: number }

/** Prices a month of a load on Workers Paid and Launch, after a year of it. */
export function costOf({ hires, hours, units }: Load): Cost {
  const monthly = hires * DAYS
  const beyond = (used: number, included: number, usd: number) =>
    (Math.max(0, used * monthly - included) / 1_000_000) * usd
  const { requests, cpuMs, kvReads, kvWrites, queueMessages, bytes } = OF_A_HIRE
  const workers =
    WORKERS_PAID.usd +
    beyond(requests, WORKERS_PAID.workerRequests, prices.workerRequests.usd) +
    beyond(cpuMs, WORKERS_PAID.workerCpuMs, prices.workerCpuMs.usd) +
    beyond(kvReads, WORKERS_PAID.kvReads, prices.kvReads.usd) +
    beyond(kvWrites, WORKERS_PAID.kvWrites, prices.kvWrites.usd) +
    beyond(queueMessages * OPERATIONS_PER_MESSAGE, WORKERS_PAID.queueOperations, prices.queueOperations.usd)
  const compute = hours * units * prices.postgresCompute.usd
  const gigabytes = (days: number) => (hires * days * bytes) / 1e9
  const storage =
    gigabytes(365) * prices.postgresStorage.usd + gigabytes(HISTORY_DAYS) * prices.postgresHistory.usd
  return { workers, compute, storage, total: workers + compute + storage }
}

/** The day of the month on which Neon's free plan is used up, and by what; undefined: on none. */
export function endOfFree({ hires, hours, units }: Load): { day: number; by: string } | undefined {
  const ends = [
    { day: FREE.unitHours / ((hours * units) / DAYS), by: 'compute' },
    { day: FREE.storageBytes / (hires * OF_A_HIRE.bytes), by: 'storage' },
  ]
  const [first] = ends.toSorted((one, other) => one.day - other.day)
  return first && first.day < DAYS ? { ...first, day: Math.ceil(first.day) } : undefined
}

const usd = (amount: number) => `$${amount.toFixed(2)}`

/** The rows of functions/plans.md. */
export const rowsOfLoads = (): string[] =>
  LOADS.map((load) => {
    const { workers, compute, storage, total } = costOf(load)
    const end = endOfFree(load)
    const free = end ? `ends on day ${end.day}: ${end.by}` : 'holds it'
    return `| ${[load.name, free, usd(workers), usd(compute), usd(storage), `**${usd(total)}**`].join(' | ')} |`
  })
