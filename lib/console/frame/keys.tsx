import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { show } from '../router.ts'
import { OTHERS, ROLES, VIEWS } from '../views.ts'
import type { Entry } from './entries.ts'

/** Where a visitor types: "/" is a letter there. */
const TYPED_IN = 'input, textarea, select, [contenteditable]'

/** The market's search. */
const SEARCH = 'main search input[type=search]'

const isMac = /^(Mac|iP)/.test(navigator.platform)

/** What a key means in the console. */
const meaningOf = ({ key, ctrlKey, metaKey, altKey, target, isComposing }: KeyboardEvent) => {
  if (altKey || isComposing) return undefined
  if (key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey)) return 'palette'
  if (key !== '/' || ctrlKey || metaKey) return undefined
  return target instanceof Element && target.closest(TYPED_IN) ? undefined : 'search'
}

type Palette = ComponentType<{ pages: readonly Entry[]; close: () => void }>

/** The views that it finds. */
const PAGES: readonly Entry[] = [...ROLES.flatMap(({ views }) => views), ...OTHERS, 'apps' as const].flatMap(
  (name) => {
    const view = VIEWS[name]
    return view ? [{ label: view.title, kind: 'Page', view: name }] : []
  },
)

/**
 * The header's search for views and what is the visitor's own. Ctrl+K opens it too (⌘K on a Mac), and "/"
 * leads to the market's search.
 */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  const [Palette, setPalette] = useState<Palette>()
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      const meaning = meaningOf(event)
      if (meaning === undefined || document.querySelector('dialog[open]')) return
      event.preventDefault()
      if (meaning === 'palette') setOpen(true)
      else searchMarket()
    }
    addEventListener('keydown', act)
    return () => removeEventListener('keydown', act)
  }, [])
  useEffect(() => {
    if (!isOpen || Palette) return
    import('./palette.tsx').then(
      ({ default: palette }) => setPalette(() => palette),
      (error: unknown) => {
        console.error('The search could not be loaded:', error)
        setOpen(false)
      },
    )
  }, [isOpen])
  const keys = isMac ? '⌘K' : 'Ctrl+K'
  return (
    <>
      <button
        type="button"
        class="icon"
        aria-label="Search"
        title={`Search (${keys})`}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 21 21" />
        </svg>
      </button>
      {isOpen && Palette && <Palette pages={PAGES} close={() => setOpen(false)} />}
    </>
  )
}

/** Gives the focus to the market's search, once the market is shown. */
function searchMarket(): void {
  const focus = () => {
    const field = document.querySelector<HTMLInputElement>(SEARCH)
    field?.focus()
    field?.select()
    return field !== null
  }
  if (focus()) return
  show('market')
  const drawn = new MutationObserver(() => focus() && stop())
  const stop = () => {
    drawn.disconnect()
    clearTimeout(end)
  }
  const end = setTimeout(stop, 10_000)
  drawn.observe(document.body, { childList: true, subtree: true })
}
