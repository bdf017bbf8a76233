import type { ViewName } from '../addresses.ts'
import { Logo } from '../kit/marks.tsx'
import { useOwed, useWaitingJobs } from '../kit/owed.tsx'
import { Link } from '../kit/text.tsx'
import { ToCollect } from '../kit/to-collect.tsx'
import { OTHERS, ROLES, VIEWS } from '../views.ts'

/** The service's sign. It leads to the start page, except on a page that leads nowhere. */
export const Brand = ({ isLink }: { isLink: boolean }) => {
  const sign = (
    <>
      <Logo />
      <span class="name">AgentCred</span>
    </>
  )
  return isLink ? (
    <Link to="" class="brand">
      {sign}
    </Link>
  ) : (
    <span class="brand">{sign}</span>
  )
}

/** Drawings of the entries, for a bar at the bottom of a phone. Each is 24 wide. */
const ICONS: Partial<Record<ViewName, string>> = {
  market: 'M4 12v8h16v-8M3 9l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0',
  hires: 'M6 3h12v18H6zM9.5 12.5l2 2 3.5-4M10 6.5h4',
  jobs: 'M4 8h16v12H4zM9 8V4h6v4',
  agents: 'M5 9h14v10H5zM12 9V5M12 4v.5M9.5 13v2M14.5 13v2M2.5 13v2M21.5 13v2',
  earnings: 'M3 7h18v11H3zM12 15a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M6 10v5M18 10v5',
  vault: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3M12 14.5v2',
}

/** The objects that are due at an entry: their number, and the words after it. */
type Due = { count: number; words: string }

/** Returns what the wallet has to do, by the entry that leads there. */
function useDue(): Partial<Record<ViewName, Due>> {
  const hires = useOwed()?.hires.size ?? 0
  const jobs = useWaitingJobs()
  return {
    hires: { count: hires, words: hires === 1 ? 'hire needs funds' : 'hires need funds' },
    jobs: { count: jobs, words: 'waiting for you' },
  }
}

const DueBadge = ({ count, words }: Due) =>
  count === 0 ? null : (
    <>
      <span class="due" aria-hidden="true">
        {count}
      </span>
      <span class="visually-hidden">
        ({count} {words})
      </span>
    </>
  )

/** Leads to the views of each role, and says where something is due. On a phone it is a bar at the bottom. */
export const Navigation = ({ shown }: { shown: ViewName | 'not-found' }) => {
  const marked = VIEWS[shown]?.under ?? shown
  const dues = useDue()
  return (
    <nav aria-label="Main" class="main">
      {ROLES.map(({ label, views }) => (
        <ul key={label} aria-label={label}>
          {views.map((name) => {
            const view = VIEWS[name]
            const due = dues[name]
            return (
              view && (
                <li key={name}>
                  <Link to={name} isCurrent={name === marked}>
                    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                      <path d={ICONS[name]} />
                    </svg>
                    <span>
                      {view.title}
                      {due && <DueBadge {...due} />}
                      {name === 'earnings' && <ToCollect />}
                    </span>
                  </Link>
                </li>
              )
            )
          })}
        </ul>
      ))}
    </nav>
  )
}

/** Leads to the views that have no entry in the main navigation, and to the API's pages. */
export const Footer = ({ shown }: { shown: ViewName | 'not-found' }) => (
  <footer class="small">
    <nav aria-label="More">
      {OTHERS.map((name) => (
        <Link key={name} to={name} isCurrent={name === shown}>
          {VIEWS[name]?.title}
        </Link>
      ))}
      <a href="/v1/docs">API reference</a>
      <a href="/v1/openapi.json">OpenAPI</a>
    </nav>
  </footer>
)
