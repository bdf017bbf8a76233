import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type IsAbout, useTold } from '../live/told.ts'
import { useConnection } from '../wallet/connection.tsx'
import { ConnectDialog } from '../wallet/dialog.tsx'
import { useAction } from './form.tsx'
import { Failure, Show, Skeleton } from './loaded.tsx'
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
  /** Stands at the heading's left. */
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
      <p>There is no account and no password: whoever can sign with a Solana wallet can use it.</p>
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
 * A list that is asked for page by page.
 * @param of names the list: it is asked for again when this changes
 * @param isAbout which events it may be different after. It is asked for again then; a list of which further
 *   pages are shown stays as it is, with a button
 * @param empty shown when the list has no entries
 */
export function Listed<Entry>({
  of,
  ask,
  isAbout,
  empty,
  children,
}: {
  of: string
  ask: (cursor: string | undefined, signal?: AbortSignal) => Promise<ListPage<Entry>>
  isAbout?: IsAbout | undefined
  empty: ComponentChildren
  children: (entries: readonly Entry[], reload: () => void) => ComponentChildren
}) {
  const { loaded, reload } = useLoaded(of, (signal) => ask(undefined, signal))
  return (
    <Show loaded={loaded} reload={reload}>
      {(first) => (
        <Pages first={first} more={(cursor) => ask(cursor)} isAbout={isAbout} reload={reload}>
          {(entries, isLast) => {
            if (entries.length > 0) return children(entries, reload)
            return isLast ? empty : <p>None among the first ones. There may be some further on.</p>
          }}
        </Pages>
      )}
    </Show>
  )
}

/**
 * The entries of a list that is paged by cursor, with a button for more.
 * @param first the page that was loaded, with the cursor of the next one
 */
function Pages<Entry>({
  first,
  more,
  isAbout,
  reload,
  children,
}: {
  first: ListPage<Entry>
  more: (cursor: string) => Promise<ListPage<Entry>>
  isAbout: IsAbout | undefined
  reload: () => void
  children: (entries: readonly Entry[], isLast: boolean) => ComponentChildren
}) {
  const [added, setAdded] = useState<{ to: typeof first; pages: (typeof first)[] }>({ to: first, pages: [] })
  const pages = added.to === first ? added.pages : []
  // Whoever reads further down must not lose the place.
  const [changed, setChanged] = useState<typeof first>()
  useTold(isAbout, () => (pages.length > 0 ? setChanged(first) : reload()))
  const { nextCursor } = pages.at(-1) ?? first
  const { isBusy, error, run } = useAction(async () => {
    if (nextCursor === undefined) return
    const page = await more(nextCursor)
    setAdded({ to: first, pages: [...pages, page] })
  })
  return (
    <>
      {changed === first && pages.length > 0 && (
        <p class="notice" role="status">
          Something has happened here.{' '}
          <button type="button" onClick={reload}>
            Show it
          </button>
        </p>
      )}
      {children(
        [first, ...pages].flatMap(({ entries }) => entries),
        nextCursor === undefined,
      )}
      {error && <Failure error={error} />}
      {nextCursor !== undefined && (
        <button type="button" onClick={run} disabled={isBusy} aria-busy={isBusy}>
          Show more
        </button>
      )}
    </>
  )
}
