/**
 * The reader's place on a page: how far it is scrolled, how many pages of its lists are shown, and the link
 * that led away. The browser's history keeps it with each entry, so Back, Forward and a reload return to it.
 */
type Place = { y?: number; listPages?: Record<string, number>; left?: string }

/** The wait after the last scroll event before a place is kept. Safari allows 100 changes in 30 seconds. */
const KEEPS_AFTER_MS = 300

/** How long a page may take to grow as far as its place. */
const GROWS_FOR_MS = 10_000
/** How long it is held at its place while parts of it still load. */
const SETTLES_MS = 1_000

/** What shows that the reader moves by hand: from then on the page stays where they leave it. */
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown']

let timer: ReturnType<typeof setTimeout> | undefined
let returning: AbortController | undefined

const place = (): Place => history.state ?? {}

const keep = (change: Place): void => history.replaceState({ ...place(), ...change }, '')

/** Keeps how far the page is scrolled, unless it is still on its way to its place. */
function keepScroll(): void {
  clearTimeout(timer)
  if (!returning) keep({ y: scrollY })
}

/** Keeps the place of each entry from now on. */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual'
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(keepScroll, KEEPS_AFTER_MS)
    },
    { passive: true },
  )
  addEventListener('pagehide', keepScroll)
  addEventListener('popstate', ({ isTrusted }) => {
    if (isTrusted) returnToPlace()
  })
  returnToPlace()
}

/**
 * Adds an entry to the history, at the top of its page.
 * @param url the address of the new entry
 */
export function leaveFor(url: string): void {
  keepScroll()
  keep({ left: url })
  returning?.abort()
  history.pushState(null, '', url)
  scrollTo(0, 0)
}

/**
 * Scrolls to the entry's place as soon as the page is tall enough, and gives the focus to the link that led
 * away. Does nothing at an entry without a place, such as one of a link to a part of the page.
 */
function returnToPlace(): void {
  clearTimeout(timer)
  returning?.abort()
  const { y, left } = place()
  if (y === undefined) return
  const abort = new AbortController()
  const { signal } = abort
  returning = abort
  const stop = () => abort.abort()
  let end = setTimeout(stop, GROWS_FOR_MS)
  const growing = new ResizeObserver(() => {
    scrollTo(0, y)
    if (left !== undefined) focusLink(left)
    clearTimeout(end)
    end = setTimeout(stop, Math.abs(scrollY - y) < 1 ? SETTLES_MS : GROWS_FOR_MS)
  })
  growing.observe(document.documentElement)
  for (const kind of BY_HAND) addEventListener(kind, stop, { signal, passive: true })
  signal.addEventListener('abort', () => {
    growing.disconnect()
    clearTimeout(end)
    if (returning === abort) returning = undefined
  })
}

/** Gives the focus to a link of the view, unless the reader has it elsewhere. */
function focusLink(href: string): void {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement?.id !== 'content') return
  document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true })
}

/** Returns how many pages of a list the reader has loaded at this entry, at least 1. */
export const listPagesOf = (list: string): number => place().listPages?.[list] ?? 1

/** Keeps how many pages of a list the reader has loaded. */
export const keepListPages = (list: string, count: number): void =>
  keep({ listPages: { ...place().listPages, [list]: count } })
