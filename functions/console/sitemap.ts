import type { PageService } from '../../lib/agents/page-service.ts'
import { reasonOf } from '../../lib/db/failures.ts'
import { cachedFor, cachedForEach } from '../../lib/runtime/cache.ts'
import { logError } from '../../lib/runtime/log.ts'
import { PREVIEWS } from './preview.ts'

/** How long an isolate, and a search engine, keep the sitemap. */
const KEPT_SECONDS = 86_400

const cachedPages = cachedFor<string[]>(KEPT_SECONDS)
/** One page has about 4 MB, so an isolate keeps the last one only. */
const cachedPage = cachedForEach<string>(KEPT_SECONDS, 1)

/** The path of the sitemap, which names its pages. */
const SITEMAP = '/console/sitemap.xml'

/** Matches a page of the sitemap: of the views, or of agents from a first one on. */
const PAGE = /^\/console\/sitemap\/(views|[\da-f-]{36})\.xml$/

/** The wait that a search engine is told when the database does not answer. */
const RETRY_AFTER_SECONDS = 3_600

type SitemapDeps = { agents: PageService; origin: string; now: Date }

/**
 * Answers the sitemap and its pages. Only ids that begin a page are looked up, and the answers are kept for a
 * day: so no caller can have the database read page after page.
 * @param origin of the service
 * @returns undefined for any other path
 */
export async function sitemapAnswer(path: string, deps: SitemapDeps): Promise<Response | undefined> {
  if (!path.startsWith('/console/sitemap')) return undefined
  try {
    const text = await sitemapText(path, deps)
    return text === undefined ? undefined : xml(text)
  } catch (error) {
    logError({ part: 'sitemap', reason: reasonOf(error) })
    return new Response(null, { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
  }
}

async function sitemapText(path: string, { agents, origin, now }: SitemapDeps): Promise<string | undefined> {
  const views = () => Object.values(PREVIEWS).map(({ address }) => `${origin}/console/${address}`)
  const pages = () => cachedPages(now, () => agents.sitemapPages())
  if (path === SITEMAP) {
    const all = ['views', ...(await pages())].map((page) => `${origin}/console/sitemap/${page}.xml`)
    return listOf('sitemapindex', 'sitemap', all)
  }
  const page = PAGE.exec(path)?.[1]
  if (page === 'views') return listOf('urlset', 'url', views())
  if (page === undefined || !(await pages()).includes(page)) return undefined
  return cachedPage(page, now, async () => {
    const ids = await agents.sitemapPage(page)
    return listOf(
      'urlset',
      'url',
      ids.map((id) => `${origin}/console/agents/${id}`),
    )
  })
}

/** No URL here has a character that XML escapes: they consist of the origin, ids and names of views. */
const listOf = (list: string, entry: string, urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<${entry}><loc>${url}</loc></${entry}>`)
    .join('\n')}</${list}>\n`

const xml = (text: string): Response =>
  new Response(text, {
    headers: {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': `public, max-age=${KEPT_SECONDS}`,
      'x-content-type-options': 'nosniff',
    },
  })
