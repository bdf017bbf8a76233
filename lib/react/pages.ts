import { useCallback, useEffect, useMemo, useState } from 'react'
import type { AgentCredError, AnswerOf, RequestOf } from '../client/index.ts'
import { useStore } from './provider.ts'
import { useTask } from './task.ts'

/** The result of every hook that loads, without what it loads. */
export type Loaded = {
  /** Whether an answer is loading. */
  isLoading: boolean
  /** The error of the last request. What was loaded before stays. */
  error: AgentCredError | undefined
  /** Loads again, a list from its first page; also after an error. */
  reload(): void
}

/** The result of every list hook, without its entries. */
export type Paged = Loaded & {
  /** Whether there is a further page. */
  hasMore: boolean
  /**
   * Loads the next page and adds its entries. Does nothing while a page is loading, or after the last page.
   */
  loadMore(): void
}

/** The operations of lists that have a hook. */
type ListName = 'GET /agents' | 'GET /agents/hire' | 'GET /jobs'
/** The operations with one answer that have a hook. */
type OneName =
  | 'GET /agents/hire/{id}'
  | 'GET /jobs/{id}'
  | 'GET /payments/charges/{id}'
  | 'GET /payments/totals'
type Page = { nextCursor?: string }

type State<P> = {
  /** The source of the pages. Pages of another query or client are not shown. */
  source: object | undefined
  pages: readonly P[]
  isLoading: boolean
  error: AgentCredError | undefined
}

/**
 * Loads a list page by page, by its cursor. Another request or client restarts it; unmounting cancels it.
 * @param isEnabled false loads nothing
 */
export function usePages<Name extends ListName | OneName>(
  name: Name,
  request: RequestOf<Name>,
  isEnabled = true,
): Paged & { pages: readonly AnswerOf<Name>[] } {
  type P = AnswerOf<Name> & Page
  const { client } = useStore()
  const requestText = JSON.stringify(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal request loads the same list
  const source = useMemo(
    () => ({
      read: (cursor: string | undefined, signal: AbortSignal) =>
        (client.call as (name: Name, request: object) => Promise<P>)(name, {
          ...request,
          ...(cursor !== undefined && { query: { ...queryOf(request), cursor } }),
          signal,
        }),
    }),
    [client, name, requestText, isEnabled],
  )
  const empty: State<P> = { source, pages: [], isLoading: isEnabled, error: undefined }
  const [state, setState] = useState<State<P>>(empty)
  const task = useTask()

  const load = useCallback(
    async (before: readonly P[]) => {
      const signal = task.begin()
      setState((now) => ({
        ...{ source, isLoading: true, error: undefined },
        pages: now.source === source ? now.pages : [],
      }))
      try {
        const page = await source.read(cursorOf(before), signal)
        if (!signal.aborted)
          setState({ source, pages: [...before, page], isLoading: false, error: undefined })
      } catch (error) {
        // Apart from an aborted signal's reason, the client only rejects with this class.
        if (!signal.aborted) setState((now) => ({ ...now, isLoading: false, error: error as AgentCredError }))
      }
    },
    [source, task],
  )

  useEffect(() => {
    if (isEnabled) void load([])
    return task.abort
  }, [load, isEnabled, task])

  const { pages, isLoading, error } = state.source === source ? state : empty
  const hasMore = cursorOf(pages) !== undefined
  return {
    ...{ pages, isLoading, error, hasMore },
    loadMore: () => void (hasMore && !isLoading && load(pages)),
    reload: () => void (isEnabled && load([])),
  }
}

/** Loads one answer. It is undefined until it has loaded. Otherwise like {@link usePages}. */
export function useOne<Name extends OneName>(
  name: Name,
  request: RequestOf<Name>,
  isEnabled: boolean,
): Loaded & { answer: AnswerOf<Name> | undefined } {
  const { pages, isLoading, error, reload } = usePages(name, request, isEnabled)
  return { answer: pages[0], isLoading, error, reload }
}

const queryOf = (request: { query?: object | undefined }): object | undefined => request.query

const cursorOf = (pages: readonly Page[]): string | undefined => pages.at(-1)?.nextCursor
