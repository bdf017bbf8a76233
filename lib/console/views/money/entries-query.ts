import { AgentCredError, type Client } from '../../../client/index.ts'
import type { Entry } from './csv.ts'
import type { Filter, Side } from './filter.ts'
import { timesOf } from './months.ts'

/** A page of entries, and the cursor of the next one. */
type EntryPage = { entries: Entry[]; nextCursor?: string | undefined }

/**
 * Reads a page of the list that a filter names. The service lists payments for requests of all agents, so a
 * page may have fewer entries, even none, and a next page.
 */
export async function readEntries(
  client: Client,
  side: Side,
  { kind, status, agentId, month }: Filter,
  page: { cursor?: string | undefined; limit?: number; signal?: AbortSignal | undefined },
): Promise<EntryPage> {
  const { signal, ...place } = page
  const time = month === 'all' ? {} : timesOf(month)
  const isOfAgent = (entry: { agentId: string }) => agentId === 'all' || entry.agentId === agentId
  if (kind === 'charge') {
    const ofAgent = side === 'owner' && agentId !== 'all' ? { agentId } : {}
    const query = { role: side, ...place, ...time, ...ofAgent, ...(status !== 'all' && { status }) }
    const { charges, nextCursor } = await client.call('GET /payments/charges', { query, signal })
    return {
      entries: charges.filter(isOfAgent).map((entry) => ({ kind, entry })),
      nextCursor,
    }
  }
  if (kind === 'job') {
    const ofAgent = agentId === 'all' ? {} : { agentId }
    // These are the jobs that pay something to their agent.
    const query = { role: side === 'owner' ? 'agent' : 'hirer', status: 'completed', ...ofAgent } as const
    const { jobs, nextCursor } = await client.call('GET /jobs', {
      query: { ...query, ...place, ...time },
      signal,
    })
    return { entries: jobs.map((entry) => ({ kind, entry })), nextCursor }
  }
  const query = { role: side === 'owner' ? 'owner' : 'payer', ...place, ...time } as const
  const { payments, nextCursor } = await client.call('GET /x402/payments', { query, signal })
  return { entries: payments.filter(isOfAgent).map((entry) => ({ kind, entry })), nextCursor }
}

/**
 * Reads all entries of a filter, page by page. When the service asks to wait, it waits.
 * @param onRead called with the number of entries so far
 */
export async function readAllEntries(
  client: Client,
  side: Side,
  filter: Filter,
  { signal, onRead }: { signal: AbortSignal; onRead: (count: number) => void },
): Promise<Entry[]> {
  const all: Entry[] = []
  let cursor: string | undefined
  do {
    const page = await patiently(signal, () =>
      readEntries(client, side, filter, { cursor, limit: 100, signal }),
    )
    all.push(...page.entries)
    onRead(all.length)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const waitMs =
        error instanceof AgentCredError && error.code === 'rate_limited' ? error.retryAfterMs : undefined
      if (waitMs === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      signal.throwIfAborted()
    }
  }
}
