/** The name of the probes in robots.txt. */
export const PROBE_TOKEN = 'AgentCred-Probe'

/**
 * Checks whether a robots.txt (RFC 9309) forbids probes of a URL. Only groups that name the probes count,
 * because rules for crawlers are not meant for registered endpoints. The longest matching pattern decides;
 * of two equal ones, the one that allows. Strangers write file and path, so each rule is read once and
 * matched in one pass.
 */
export function wantsNoProbes(text: string, url: string): boolean {
  const { pathname, search } = new URL(url)
  const path = upperCased(pathname + search)
  let longest = 0
  let isAllowed = true
  for (const { pattern, allows } of ownRules(text)) {
    if (pattern.length < longest || (pattern.length === longest && !allows) || !matches(pattern, path))
      continue
    longest = pattern.length
    isAllowed = allows
  }
  return !isAllowed
}

type Rule = { pattern: string; allows: boolean }

/** Reads the rules of the groups that name the probes. A group is consecutive agent lines and their rules. */
function ownRules(text: string): Rule[] {
  const rules: Rule[] = []
  let isForProbes = false
  let isAmongAgents = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? []
    const key = name?.trim().toLowerCase()
    if (!key) continue
    const isAgent = key === 'user-agent'
    if (isAgent) isForProbes = (isAmongAgents && isForProbes) || isOwnToken(value)
    isAmongAgents = isAgent
    const pattern = value.trim()
    if (isForProbes && pattern !== '' && (key === 'allow' || key === 'disallow'))
      rules.push({ pattern: encoded(pattern), allows: key === 'allow' })
  }
  return rules
}

/** Compares the product token without its version, as in `AgentCred-Probe/1`. */
const isOwnToken = (value: string): boolean =>
  value.split('/', 1)[0]?.trim().toLowerCase() === PROBE_TOKEN.toLowerCase()

/**
 * Checks whether a pattern matches a path from its start: `*` is any text, `$` at the end is the end.
 * Searches each part between wildcards once, after the part before it, because the first match is never
 * worse than a later one.
 */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const last = isWhole ? parts.pop() : undefined
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : at + last.length <= path.length && path.endsWith(last)
}

/** Encodes a pattern like the URLs with which it is compared. */
const encoded = (pattern: string): string =>
  upperCased(pattern.isWellFormed() ? encodeURI(pattern).replaceAll('%25', '%') : pattern)

const upperCased = (path: string): string => path.replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
