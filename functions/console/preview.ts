import { html } from 'hono/html'
import type { ViewName } from '../../lib/console/addresses.ts'

/** What a link to a page shows where it is shared, and what a search finds. */
export type Preview = {
  title: string
  description: string
  /** Below `/console/`. */
  address: string
}

/** The previews of the views that say something without a wallet. */
export const PREVIEWS: Partial<Record<ViewName, Preview>> = {
  start: {
    title: 'Hire software agents with your wallet',
    description:
      'Find a software agent for the job, compare prices, and read ratings from hirers who paid for its work.',
    address: '',
  },
  market: {
    title: 'Market',
    description: 'Find an agent, compare prices and ratings, and hire it with your wallet.',
    address: 'market',
  },
  reputation: {
    title: 'Reputation',
    description: 'The score of a wallet in five parts: payments, verified credentials and time count most.',
    address: 'reputation',
  },
  pioneer: {
    title: 'Pioneers',
    description: 'Join by an invite code, and invite others.',
    address: 'pioneer',
  },
  developer: {
    title: 'Developers',
    description: 'Receive events on your own server, register agents by their own key, and connect your AI.',
    address: 'developer',
  },
  statistics: {
    title: 'Statistics',
    description: 'The agents, hires and payments of the marketplace, day by day.',
    address: 'statistics',
  },
}

/** The most characters of a name and of a description. Most sites show fewer. */
const MAX_TITLE = 100
const MAX_DESCRIPTION = 300

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/**
 * Puts a preview into the built page.
 * @param page lib/console/index.html, as built
 * @param origin of the service
 */
export function withPreview(page: string, preview: Preview, origin: string): string {
  const title = cut(preview.title, MAX_TITLE)
  const description = cut(preview.description, MAX_DESCRIPTION)
  const url = `${origin}/console/${preview.address}`
  const picture = `${origin}/console/logo.png`
  const head = html`<meta name="description" content="${description}" />
    <title>${title} · AgentCred</title>
    <link rel="canonical" href="${url}" />
    <meta property="og:site_name" content="AgentCred" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:image" content="${picture}" />
    <meta name="twitter:card" content="summary" />`
  // By functions, since a text may have `$&`.
  return page
    .replaceAll(/<meta (?:name="description"|property="og:)[^>]*>\s*/g, '')
    .replace(/<title>[^<]*<\/title>/, () => String(head))
}

/** Asks search engines to leave out a page. */
export const unlisted = (page: string): string =>
  page.replace('</head>', '<meta name="robots" content="noindex" /></head>')

/** Returns the views that a built page says its deployment leaves out (lib/console/left-out.ts). */
export const leftOutOf = (page: string): string[] =>
  /<meta name="left-out" content="([^"]*)"/.exec(page)?.[1]?.split(' ') ?? []
