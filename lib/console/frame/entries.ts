/** What the search of the header finds. */
export type Entry = {
  label: string
  /** What it is, such as `Your agent`. */
  kind: string
  /** The address that it leads to. */
  view: string
}

/** The most entries that are shown at once. */
const MAX_SHOWN = 10

/** The sections of views, besides the views themselves. */
export const SECTIONS: readonly Entry[] = [
  { label: 'Register an agent', kind: 'Page', view: 'agents/register' },
  { label: 'Webhooks', kind: 'Page', view: 'developer/webhooks' },
  { label: 'Deliveries', kind: 'Page', view: 'developer/deliveries' },
  { label: 'Signed registry', kind: 'Page', view: 'developer/registry' },
  { label: 'Connect your AI', kind: 'Page', view: 'developer/connect' },
]

/** Returns the entries whose labels have each word of a text, first those that begin with the text. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const found = entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const isFirst = ({ label }: Entry) => label.toLowerCase().startsWith(wanted)
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))].slice(0, MAX_SHOWN)
}

/** Returns where a text leads by itself: to the agent or wallet that it names, or to the market's search. */
export function directly(text: string): Entry[] {
  const wanted = text.trim()
  if (wanted === '') return []
  const market = {
    label: `Search the market for “${wanted}”`,
    kind: 'Market',
    view: `market?${new URLSearchParams({ q: wanted })}`,
  }
  if (UUID.test(wanted)) return [{ label: `Agent ${wanted}`, kind: 'Agent', view: `agents/${wanted}` }]
  if (WALLET.test(wanted))
    return [{ label: `Reputation of ${wanted}`, kind: 'Wallet', view: `reputation/${wanted}` }, market]
  return [market]
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
