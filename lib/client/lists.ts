import { AgentCredError } from './error.ts'
import type { Event } from './generated/types.ts'
import type { AnswerOf, AnyRequest, Call, CallOptions, OperationName, RequestOf } from './operations.ts'
import type { Sleep } from './waiting.ts'

type Page = { count: number; nextCursor?: string }

/** An operation that answers a page of a list, and the cursor of the next page. */
export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends Page
    ? 'nextCursor' extends keyof AnswerOf<Name>
      ? Name
      : never
    : never
}[OperationName]

/** An entry of the list that an operation answers: a page has one array. */
export type EntryOf<Name extends ListName> = {
  [Field in keyof AnswerOf<Name>]-?: AnswerOf<Name>[Field] extends readonly (infer Entry)[] ? Entry : never
}[keyof AnswerOf<Name>]

/** Yields the entries of a list, page by page. It requests the next page when it is needed. */
export async function* list<Name extends ListName>(
  call: Call,
  name: Name,
  request: (RequestOf<Name> & CallOptions) | undefined,
): AsyncGenerator<EntryOf<Name>, void, undefined> {
  const { query, ...rest }: AnyRequest = request ?? {}
  let cursor = query?.cursor
  do {
    const page = await (call as AnyCall)(name, { ...rest, query: { ...query, cursor } })
    yield* Object.values<unknown>(page).find(Array.isArray) as EntryOf<Name>[]
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

type AnyCall = (name: ListName, request: AnyRequest) => Promise<Page>

export type EventOptions = CallOptions & {
  /** The id of the last known event; by default the list begins with the first one. */
  after?: string | undefined
  /** Polls for later events at this interval. Without it the iteration ends. */
  everyMs?: number | undefined
  /**
   * Called if the log no longer has `after`, since events are deleted after a year. Events may have been
   * missed. The iteration then goes on from the oldest event, whose id it passes, if there is one. Money
   * events are never deleted, so they may appear again. Without this function the iteration rejects with
   * `cursor_lost`.
   */
  onLost?: ((oldest: string | undefined) => void) | undefined
}

/** Yields the wallet's events in order, each once. */
export async function* events(
  call: Call,
  sleep: Sleep,
  { after, everyMs, signal, onLost }: EventOptions,
): AsyncGenerator<Event, void, undefined> {
  for (;;) {
    const page = await call('GET /events', { query: { after, limit: 100 }, signal }).catch((error) => {
      if (!onLost || !isLost(error)) throw error
      onLost(error.problem?.oldest)
      return undefined
    })
    if (!page) {
      after = undefined
      continue
    }
    yield* page.events
    after = page.events.at(-1)?.id ?? after
    if (page.hasMore) continue
    if (everyMs === undefined) return
    await sleep(everyMs, signal)
  }
}

const isLost = (error: unknown): error is AgentCredError =>
  error instanceof AgentCredError && error.code === 'cursor_lost'
