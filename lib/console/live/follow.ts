import type { Client, Event } from '../../client/index.ts'

/** The number of latest events that are known and listed. */
export const MAX_KNOWN = 30

type FollowOptions = {
  /** Whether the service sends events as they happen. Without it only the log's end is read. */
  isLive: boolean
  signal: AbortSignal
  /** The log's end, newest first. */
  onLatest: (events: Event[]) => void
  /** A new event. */
  onEvent: (event: Event) => void
}

/**
 * Reads the end of the wallet's log, then follows it. It reads the end again each time. Events from before
 * are not read one by one, since only the latest are listed.
 * @throws AgentCredError as the client does; `wallet_missing` when the session is over
 */
export async function follow(
  client: Pick<Client, 'call' | 'events'>,
  { isLive, signal, onLatest, onEvent }: FollowOptions,
): Promise<void> {
  const query = { sort: 'newest', limit: MAX_KNOWN } as const
  const { events } = await client.call('GET /events', { query, signal })
  onLatest(events)
  if (!isLive) return
  for await (const event of client.events({ live: true, after: events[0]?.id, signal })) onEvent(event)
}

/** Returns the known latest events with another one, newest first. */
export const withEvent = (known: readonly Event[], event: Event): Event[] =>
  [event, ...known].slice(0, MAX_KNOWN)

/**
 * Returns the events of a log's end that are new.
 * @param last the last known event; undefined if none is known
 * @returns undefined if there may be more new events than the log's end has
 */
export function newsOf(latest: readonly Event[], last: string | undefined): readonly Event[] | undefined {
  const at = latest.findIndex(({ id }) => id === last)
  if (at >= 0) return latest.slice(0, at)
  return latest.length < MAX_KNOWN ? latest : undefined
}

/**
 * Returns the number of events that are newer than the last seen one.
 * @param seen an event's id; '' if the wallet has seen no event
 */
export function unreadOf(latest: readonly Event[], seen: string): number {
  const at = latest.findIndex(({ id }) => id === seen)
  return at < 0 ? latest.length : at
}
