import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type IsAbout, useNewEvents } from '../live/listeners.ts'
import { keepListPages, listPagesOf } from '../place.ts'
import { useConnection } from '../wallet/connection.tsx'
import { ConnectDialog } from '../wallet/dialog.tsx'
import { useAction } from './action.ts'
import { Button } from './button.tsx'
import { Failure, type Shape, Show, Skeleton } from './loaded.tsx'
import { useLoaded } from './query.ts'

/** A view's frame: its heading, its purpose and its content. */
export function Page({
  title,
  tab = title,
  lead,
  beside,
  children,
}: {
  title: string
  /** The title of the browser's tab, if not the heading's. */
  tab?: string
  lead?: ComponentChildren
  /** Shown at the left of the heading. */
  beside?: ComponentChildren
  children: ComponentChildren
}) {
  useEffect(() => {
    document.title = `${tab} · AgentCred`
  }, [tab])
  return (
    <main id="content" tabIndex={-1}>
      <div class="title">
        {beside}
        <div>
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
      </div>
      {children}
    </main>
  )
}

/** Shows its children to a visitor with a connected wallet; asks others to connect one. */
export function NeedsWallet({
  why,
  children,
}: {
  why: string
  children: (address: string) => ComponentChildren
}) {
  const { address, isSettled } = useConnection()
  const [isOpen, setOpen] = useState(false)
  if (address !== undefined) return <>{children(address)}</>
  if (!isSettled) return <Skeleton />
  return (
    <div class="notice empty">
      <p>
        <strong>{why}</strong>
      </p>
      <p>No sign-up and no password: your Solana wallet is your account.</p>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Connect wallet
      </button>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </div>
  )
}

/** A page of a list, and the cursor of the next one. */
type ListPage<Entry> = { entries: readonly Entry[]; nextCursor?: string | undefined }

/**
 * Shows a list page by page. If a page has no entries but a cursor, it says so and offers the next page. Back
 * and a reload show as many pages as before.
 * @param listKey identifies the list on its page; another key loads another list
 * @param filter what a visitor has chosen of the list. While another choice loads, the entries before are shown
 * @param ask loads the page of a cursor; the first page without one
 * @param isAbout whether an event may have changed the list. Such an event loads the list again; if further
 *   pages are shown, a button offers it
 * @param empty shown when the list has no entries
 */
export function Listed<Entry>({
  listKey,
  filter,
  shape = 'rows',
  ask,
  isAbout,
  empty,
  children,
}: {
  listKey: string
  filter?: string | undefined
  shape?: Shape
  ask: (cursor: string | undefined, signal?: AbortSignal) => Promise<ListPage<Entry>>
  isAbout?: IsAbout | undefined
  empty: ComponentChildren
  children: (entries: readonly Entry[], reload: () => void) => ComponentChildren
}) {
  const list = `${listKey} ${filter ?? ''}`
  const askPages = async (signal: AbortSignal) => {
    const pages = [await ask(undefined, signal)]
    for (let at = pages[0]; at?.nextCursor !== undefined && pages.length < listPagesOf(list); ) {
      at = await ask(at.nextCursor, signal)
      pages.push(at)
    }
    return pages
  }
  const { loaded, reload } = useLoaded(listKey, askPages, undefined, filter)
  return (
    <Show loaded={loaded} reload={reload} shape={shape}>
      {(pages) => (
        <Pages
          pages={pages}
          isOther={loaded.state === 'ready' && loaded.isOther}
          more={(cursor) => ask(cursor)}
          keepCount={(count) => keepListPages(list, count)}
          isAbout={isAbout}
          reload={reload}
        >
          {(entries, isLast) => {
            if (entries.length > 0) return children(entries, reload)
            return isLast ? empty : <p>Nothing on this page. There may be more results.</p>
          }}
        </Pages>
      )}
    </Show>
  )
}

/**
 * Shows the entries of a list that is paged by cursor, with a button for more.
 * @param pages the loaded pages, at least one
 * @param isOther whether they are of another filter than the one that `more` asks with
 * @param keepCount keeps how many pages to load the next time
 */
function Pages<Entry>({
  pages,
  isOther,
  more,
  keepCount,
  isAbout,
  reload,
  children,
}: {
  pages: readonly ListPage<Entry>[]
  isOther: boolean
  more: (cursor: string) => Promise<ListPage<Entry>>
  keepCount: (count: number) => void
  isAbout: IsAbout | undefined
  reload: () => void
  children: (entries: readonly Entry[], isLast: boolean) => ComponentChildren
}) {
  const [added, setAdded] = useState<{ to: typeof pages; shown: typeof pages }>({ to: pages, shown: pages })
  const shown = added.to === pages ? added.shown : pages
  const nextCursor = shown.at(-1)?.nextCursor
  const latest = useRef(pages)
  latest.current = pages
  const [changed, setChanged] = useState<typeof pages>()
  // A reader further down must not lose the place when a new entry arrives.
  useNewEvents(isAbout, () => (shown.length > 1 ? setChanged(pages) : reload()))
  const { isBusy, error, run } = useAction(async () => {
    if (nextCursor === undefined) return
    const page = await more(nextCursor)
    keepCount(shown.length + 1)
    // The list was loaded again meanwhile, without the new page.
    if (latest.current !== pages) reload()
    else setAdded({ to: pages, shown: [...shown, page] })
  })
  return (
    <>
      {changed === pages && shown.length > 1 && (
        <p class="notice" role="status">
          There is new activity.{' '}
          <button type="button" onClick={reload}>
            Refresh list
          </button>
        </p>
      )}
      {children(
        shown.flatMap(({ entries }) => entries),
        nextCursor === undefined,
      )}
      {error && <Failure error={error} />}
      {nextCursor !== undefined && (
        <Button onClick={run} isBusy={isBusy} isDisabled={isOther}>
          Show more
        </Button>
      )}
    </>
  )
}
