/**
 * Finds the Worker that a path is handed to in the topology "gateway". As with Cloudflare's routes, the
 * longest pattern counts. Root answers paths without a pattern itself.
 */

type Entry = { prefix: string; binding: string }

/** The table of this isolate's setting: it changes with a deployment only. */
let known: { text: string; entries: Entry[] } | undefined

/**
 * @param table the setting GATEWAY: `/v1/agents=AGENTS /v1/auth/=AUTH`
 * @returns the name of the binding
 */
export function bindingFor(path: string, table: string): string | undefined {
  if (known?.text !== table) known = { text: table, entries: entriesOf(table) }
  return known.entries.find(({ prefix }) => path.startsWith(prefix))?.binding
}

const entriesOf = (table: string): Entry[] =>
  table
    .split(' ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [prefix = '', binding = ''] = entry.split('=')
      return { prefix, binding }
    })
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
