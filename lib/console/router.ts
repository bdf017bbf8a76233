import { useEffect, useState } from 'preact/hooks'
import { leaveFor } from './place.ts'

/** The path of the console. */
const BASE = import.meta.env.BASE_URL

/** The address of a view: `addressOf('agents/7')`, with a query or without. */
export const addressOf = (view: string): string => `${BASE}${view}`

/** The view that the page's address names, without the base, and its query. */
const read = () => ({
  view: location.pathname.slice(BASE.length).replace(/\/+$/, ''),
  query: new URLSearchParams(location.search),
})

/**
 * Shows another view. With `replace` it leaves no entry in the browser's history: for filters while they are
 * typed.
 */
export function show(view: string, { replace = false } = {}): void {
  const url = addressOf(view)
  if (replace) history.replaceState(null, '', url)
  else leaveFor(url)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The present view, again whenever it changes. */
export function useView() {
  const [shown, setShown] = useState(read)
  useEffect(() => {
    const follow = () => setShown(read())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return shown
}
