/**
 * The addresses of the console. Contains no code of the page: the Worker that serves the page reads them too
 * (functions/console).
 */

/**
 * The address of each view, below `/console/`. `[id]` is a part of any text, and `?` makes what is in
 * parentheses optional. The first that fits counts. A view finds out by itself whether its id exists.
 */
const ADDRESSES = {
  start: 'start',
  market: 'market',
  agents: 'agents(/(register|selling))?',
  agent: 'agents/[id]',
  hires: 'hires(/[id])?',
  charges: 'charges/[id]',
  jobs: 'jobs(/[id])?',
  earnings: 'earnings',
  selling: 'selling/[id]',
  vault: 'vault(/[id])?',
  reputation: 'reputation(/[id])?',
  pioneer: 'pioneer',
  connect: 'connect',
  apps: 'apps',
  developer: 'developer(/(webhooks(/[id](/[id])?)?|deliveries|registry|connect))?',
  statistics: 'statistics',
} as const

/** The name of a view that has an address. */
export type ViewName = keyof typeof ADDRESSES

/** A view, and the parts of its address after the first: `['webhooks']`. */
export type Place = { name: ViewName; parts: readonly string[] }

const PATTERNS = Object.entries(ADDRESSES).map(
  ([name, address]) => [name as ViewName, new RegExp(`^${address.replaceAll('[id]', '[^/]+')}$`)] as const,
)

/**
 * Returns the view of an address such as `developer/webhooks`.
 * @returns undefined if no view has the address
 */
export function placeOf(address: string): Place | undefined {
  const [name] = PATTERNS.find(([, pattern]) => pattern.test(address)) ?? []
  return name && { name, parts: address.split('/').slice(1) }
}

/** Former addresses, and where they lead now. */
export const MOVED: Readonly<Record<string, string>> = {
  'developer/agents': 'agents',
  'developer/register': 'agents/register',
  'developer/selling': 'agents/selling',
}
