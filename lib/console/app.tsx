import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { placeOf } from './addresses.ts'
import { Search } from './frame/keys.tsx'
import { Brand, Footer, Navigation } from './frame/navigation.tsx'
import { Skeleton } from './kit/loaded.tsx'
import { Outage } from './kit/outage.tsx'
import { Bell, SessionOver } from './live/bell.tsx'
import { useView } from './router.ts'
import type { ViewProps } from './view-props.ts'
import { VIEWS } from './views.ts'
import { useConnection } from './wallet/connection.tsx'
import { AccountGone, WalletMenu } from './wallet/menu.tsx'

/** The whole page: header, navigation, and the view that the address names. */
export function App() {
  const { view: named, query } = useView()
  const { address, isSettled } = useConnection()
  const start = address === undefined && isSettled ? 'start' : 'market'
  // The first page and the market are one: its search changes the address while it is typed in.
  const view = named || start
  const { name = 'not-found', parts: [id, ...further] = [] } = placeOf(view) ?? {}
  const shown = VIEWS[name] ? name : 'not-found'
  const isAlone = VIEWS[shown]?.isAlone ?? false
  const hasMoved = useHasMoved(view)
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <Brand isLink={!isAlone} />
        {!isAlone && <Navigation shown={shown} />}
        <div class="own">
          {!isAlone && (
            <>
              <Search />
              <Bell />
            </>
          )}
          <WalletMenu isAlone={isAlone} />
        </div>
      </header>
      <Outage />
      <AccountGone />
      {!isAlone && <SessionOver />}
      <Outlet key={view} name={shown} takesFocus={hasMoved} {...{ id, further, query }} />
      {!isAlone && <Footer shown={shown} />}
    </>
  )
}

/** Returns whether another view was shown before. The first view leaves the focus at the page's beginning. */
function useHasMoved(shown: string): boolean {
  const first = useRef<string | undefined>(shown)
  if (first.current !== shown) first.current = undefined
  return first.current === undefined
}

/**
 * Loads the view's code when it is first shown.
 * @param takesFocus after a change of view, so that a screen reader continues at its beginning
 */
function Outlet({ name, takesFocus, ...props }: ViewProps & { name: string; takesFocus: boolean }) {
  const [View, setView] = useState<ComponentType<ViewProps>>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    VIEWS[name]?.load().then(
      ({ default: view }) => setView(() => view),
      (error: unknown) => {
        console.error(`The view ${name} could not be loaded:`, error)
        setFailed(true)
      },
    )
  }, [name])
  useEffect(() => {
    // A visitor who has opened a menu meanwhile, or is in the view already, stays there.
    if (View && takesFocus && !document.querySelector('.menu[open], main :focus'))
      document.getElementById('content')?.focus({ preventScroll: true })
  }, [View])
  if (hasFailed) return <NotLoaded />
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

/** Says that a failed view can't be shown, so that an error of the console leaves no blank page. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((error) => reportError(error))
  return error ? (
    <Broken title="Something went wrong on this page." retry={reset}>
      Try again. If it keeps happening, send the errors in your browser’s console to the operator of this
      service.
    </Broken>
  ) : (
    children
  )
}

/** Says that a view's code could not be loaded. A browser asks for a module once, so reload the page. */
const NotLoaded = () => (
  <Broken title="This page could not be loaded." retry={() => location.reload()}>
    Check your connection, then reload. A new version of the console may be available.
  </Broken>
)

/** Says what is wrong with a view and what to do. */
const Broken = ({
  title,
  retry,
  children,
}: {
  title: string
  retry: () => void
  children: ComponentChildren
}) => (
  <main id="content">
    <div class="notice failure" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
      <button type="button" class="primary" onClick={retry}>
        Try again
      </button>
    </div>
  </main>
)
