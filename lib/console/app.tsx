import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { Skeleton } from './kit/loaded.tsx'
import { Logo } from './kit/marks.tsx'
import { Link } from './kit/text.tsx'
import { Bell, SessionOver } from './live/bell.tsx'
import { useView } from './router.ts'
import { VIEWS, type ViewProps } from './views.ts'
import { useConnection } from './wallet/connection.tsx'
import { AccountGone, WalletMenu } from './wallet/menu.tsx'

/** The whole page: header, navigation, and the view that the address names. */
export function App() {
  const { view, query } = useView()
  const [name = '', id] = view.split('/')
  const { address, isSettled } = useConnection()
  const start = address === undefined && isSettled ? 'start' : 'market'
  const shown = VIEWS[name] ? name : start
  const hasMoved = useHasMoved(view)
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <Link to="" class="brand">
          <Logo />
          AgentCred
        </Link>
        <nav aria-label="Views">
          {Object.entries(VIEWS).map(
            ([path, { title, under }]) =>
              under === undefined && (
                <Link key={path} to={path} isCurrent={path === (VIEWS[shown]?.under ?? shown)}>
                  {title}
                </Link>
              ),
          )}
        </nav>
        <div class="own">
          <Bell />
          <WalletMenu />
        </div>
      </header>
      <AccountGone />
      <SessionOver />
      <Outlet key={`${view} ${shown}`} name={shown} id={id} query={query} takesFocus={hasMoved} />
      <footer class="small">
        <a href="/v1/docs">API reference</a> · <a href="/v1/openapi.json">OpenAPI</a>
      </footer>
    </>
  )
}

/** Whether another view was shown before: the first one leaves the focus where the page begins. */
function useHasMoved(view: string): boolean {
  const first = useRef<string | undefined>(view)
  if (first.current !== view) first.current = undefined
  return first.current === undefined
}

/**
 * Loads the view's code when it is first shown.
 * @param takesFocus for a view that was gone to, so that a screen reader goes on where it begins
 */
function Outlet({ name, takesFocus, ...props }: ViewProps & { name: string; takesFocus: boolean }) {
  const [View, setView] = useState<ComponentType<ViewProps>>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    VIEWS[name]?.load().then(
      ({ default: view }) => {
        setView(() => view)
        document.title = `${VIEWS[name]?.title} · AgentCred`
      },
      () => setFailed(true),
    )
  }, [name])
  useEffect(() => {
    if (View && takesFocus) document.getElementById('content')?.focus()
  }, [View])
  if (hasFailed) return <Broken />
  return View ? (
    <Boundary>
      <View {...props} />
    </Boundary>
  ) : (
    <main id="content">
      <Skeleton />
    </main>
  )
}

/** Says, in a failed view's place, that it can't be shown: a fault of ours leaves no blank page. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [fault] = useErrorBoundary((error) => reportError(error))
  return fault ? <Broken /> : children
}

/** Says that a view can not be shown. */
const Broken = () => (
  <main id="content">
    <div class="notice failure" role="alert">
      <p>This view could not be shown.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  </main>
)
