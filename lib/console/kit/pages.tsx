import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type IsAbout, useNewEvents } from '../live/listeners.ts'
import { useConnection } from '../wallet/connection.tsx'
import { ConnectDialog } from '../wallet/dialog.tsx'
import { Button } from './button.tsx'
import { useAction } from './form.tsx'
import { Failure, type Shape, Show, Skeleton } from './loaded.tsx'
import { useLoaded } from './query.ts'

/** A view's frame: its heading, its purpose and its content. */
export const Page = ({
  title,
  lead,
  beside,
  children,
}: {
  title: string
  lead?: ComponentChildren
  /** Shown at the left of the heading. */
  beside?: ComponentChildren
  children: ComponentChildren
}) => (
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
 * Shows a list page by page. If a page has no entries but a cursor, it says so and offers the next page.
 * @param listKey identifies the list; another key loads another list
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
  const { loaded, reload } = useLoaded(listKey, (signal) => ask(undefined, signal), undefined, filter)
  // Whether an event has caused the last load, and not the visitor.
  const isAfterEvent = useRef(false)
  function askAgain(isByEvent = false) {
    isAfterEvent.current = isByEvent
    reload()
  }
  return (
    <Show loaded={loaded} reload={reload} shape={shape}>
      {(first) => (
        <Pages
          first={first}
          isOther={loaded.state === 'ready' && loaded.isOther}
          more={(cursor) => ask(cursor)}
          isAbout={isAbout}
          isAfterEvent={isAfterEvent}
          askAgain={askAgain}
        >
          {(entries, isLast) => {
            if (entries.length > 0) return children(entries, () => askAgain())
            return isLast ? empty : <p>Nothing on this page. There may be more results.</p>
          }}
        </Pages>
      )}
    </Show>
  )
}

/**
 * Shows the entries of a list that is paged by cursor, with a button for more.
 * @param first the loaded page, with the cursor of the next one
 * @param isOther whether it is of another filter than the one that `more` asks with
 */
function Pages<Entry>({
  first,
  isOther,
  more,
  isAbout,
  isAfterEvent,
  askAgain,
  children,
}: {
  first: ListPage<Entry>
  isOther: boolean
  more: (cursor: string) => Promise<ListPage<Entry>>
  isAbout: IsAbout | undefined
  isAfterEvent: { current: boolean }
  askAgain: (isByEvent?: boolean) => void
  children: (entries: readonly Entry[], isLast: boolean) => ComponentChildren
}) {
  const [known, setKnown] = useState<{ first: typeof first; pages: (typeof first)[] }>({ first, pages: [] })
  // A reader further down must not lose the place when a new entry arrives.
  const isKept = known.first !== first && known.pages.length > 0 && isAfterEvent.current
  const shown = known.first === first || isKept ? known : { first, pages: [] }
  // Else they would be shown again with the next event.
  if (shown !== known) setKnown(shown)
  const { nextCursor } = shown.pages.at(-1) ?? shown.first
  const [changed, setChanged] = useState<typeof first>()
  useNewEvents(isAbout, () => (shown.pages.length > 0 ? setChanged(shown.first) : askAgain(true)))
  const { isBusy, error, run } = useAction(async () => {
    if (nextCursor === undefined) return
    const page = await more(nextCursor)
    setKnown({ first: shown.first, pages: [...shown.pages, page] })
  })
  return (
    <>
      {(isKept || (changed === shown.first && shown.pages.length > 0)) && (
        <p class="notice" role="status">
          There is new activity.{' '}
          <button type="button" onClick={() => askAgain()}>
            Refresh list
          </button>
        </p>
      )}
      {children(
        [shown.first, ...shown.pages].flatMap(({ entries }) => entries),
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
