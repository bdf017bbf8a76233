import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from './kit/loaded.tsx'
import { Link } from './kit/text.tsx'
import { useView } from './router.ts'
import { VIEWS, type ViewProps } from './views.ts'
import { WalletMenu } from './wallet/menu.tsx'

/** The whole page: header, navigation, and the view that the address names. */
export function App() {
  const { view, query } = useView()
  const [name = '', id] = view.split('/')
  const shown = VIEWS[name] ? name : 'market'
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <Link to="market" class="brand">
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
        <WalletMenu />
      </header>
      <Outlet key={view} name={shown} id={id} query={query} />
      <footer class="small">
        <a href="/v1/docs">API reference</a> · <a href="/v1/openapi.json">OpenAPI</a>
      </footer>
    </>
  )
}

/** Loads the view's code when it is first shown. */
function Outlet({ name, ...props }: ViewProps & { name: string }) {
  const [View, setView] = useState<ComponentType<ViewProps>>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    VIEWS[name]?.load().then(
      ({ default: view }) => {
        setView(() => view)
        document.title = `${VIEWS[name]?.title} · AgentCred`
        // A screen reader goes on where the new view begins.
        document.getElementById('content')?.focus()
      },
      () => setFailed(true),
    )
  }, [name])
  if (hasFailed)
    return (
      <main id="content">
        <div class="notice failure" role="alert">
          <p>This view could not be loaded.</p>
          <button type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </div>
      </main>
    )
  return View ? (
    <View {...props} />
  ) : (
    <main id="content">
      <Skeleton />
    </main>
  )
}
