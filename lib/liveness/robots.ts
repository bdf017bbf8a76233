/** What a robots.txt calls our probes. */
export const PROBE_TOKEN = 'AgentCred-Probe'

/**
 * Whether a robots.txt (RFC 9309) wants none of our probes at a URL of its host. Only a group that names
 * them counts: rules for crawlers are not meant for probes of an endpoint that its owner has registered.
 * The longest pattern that matches decides, and of two such the one that allows. Strangers write both file
 * and path, so each rule is read once, however many lines name the probes, and matched by one pass over the
 * path.
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

/** Reads the rules of the groups that name our probes. A group is agent lines in a row and what follows. */
function ownRules(text: string): Rule[] {
  const rules: Rule[] = []
  let isOurs = false
  let isAmongAgents = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? []
    const key = name?.trim().toLowerCase()
    if (!key) continue
    const isAgent = key === 'user-agent'
    if (isAgent) isOurs = (isAmongAgents && isOurs) || isOwnToken(value)
    isAmongAgents = isAgent
    const pattern = value.trim()
    if (isOurs && pattern !== '' && (key === 'allow' || key === 'disallow'))
      rules.push({ pattern: encoded(pattern), allows: key === 'allow' })
  }
  return rules
}

/** Takes the token before a version, as products are named: `AgentCred-Probe/1`. */
const isOwnToken = (value: string): boolean =>
  value.split('/', 1)[0]?.trim().toLowerCase() === PROBE_TOKEN.toLowerCase()

/**
 * Whether a pattern matches a path from its beginning: `*` is any text, `$` at the end is the end. Each part
 * between wildcards is searched for once, behind the part before it: the first place is never worse than
 * a later one.
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

/** Encodes a pattern as the URLs that it is compared with are. */
const encoded = (pattern: string): string =>
  upperCased(pattern.isWellFormed() ? encodeURI(pattern).replaceAll('%25', '%') : pattern)

const upperCased = (path: string): string => path.replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
