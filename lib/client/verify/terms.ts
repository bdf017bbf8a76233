import { utf8 } from '../encoding.ts'
import { AgentCredError } from '../error.ts'
import { hex } from './bytes.ts'
import { sha256 } from './noble.ts'
import type { JobOrder, SeenJob } from './order.ts'

/** The fields that a job's hash covers, in the order of canonical JSON (RFC 8785). */
const TERMS = [
  ...['acceptMinutes', 'agentId', 'brief', 'feeBps', 'hirer', 'inputHash', 'judge', 'price'],
  ...['reference', 'reviewMinutes', 'salt', 'title', 'workMinutes'],
]

/** What the service takes for the fields that an order omits. */
export const DEFAULTS = {
  inputHash: null,
  judge: 'none',
  acceptMinutes: 4_320,
  workMinutes: 4_320,
  reviewMinutes: 4_320,
}

/** What the caller knows of a job by itself. `owner` is the agent's. */
type Expected = { hirer?: string; owner?: string | undefined; order?: JobOrder | undefined }

/**
 * Computes the hash of a job's terms from the terms themselves, as the service does (lib/work/README.md).
 * @returns 64 hex digits
 * @throws AgentCredError `job_unexpected` if a term is not the expected one, or the job has another hash
 */
export function termsHashOf(job: SeenJob, { order, ...sides }: Expected = {}): string {
  const terms: Record<string, unknown> = { ...job, inputHash: job.inputHash ?? null, price: `${job.price}` }
  const expected = { ...sides, ...(order && asStored(order)) }
  for (const [field, value] of Object.entries(expected))
    if (value !== undefined && value !== terms[field])
      throw unexpected(`its ${field} is not what you ordered`)
  const termsHash = hex(sha256(utf8(JSON.stringify(terms, TERMS))))
  if (termsHash !== job.termsHash) throw unexpected('its termsHash is not the hash of its terms')
  return termsHash
}

/** Returns the terms that the service stores for an order. */
function asStored(order: JobOrder): Record<string, unknown> {
  const given = Object.entries(order).filter(([, value]) => value !== undefined)
  return {
    ...DEFAULTS,
    ...Object.fromEntries(given),
    agentId: order.agentId.toLowerCase(),
    reference: order.reference.trim(),
    title: order.title.trim(),
    price: `${order.price}`,
  }
}

const unexpected = (difference: string) =>
  new AgentCredError('job_unexpected', `The service’s job is not the one that you mean: ${difference}.`)
