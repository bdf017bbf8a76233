import { hasInvisible } from './hidden.ts'
import { AFTER_SCHEME } from './patterns.ts'

/** The length of the longest stored URL, in characters. */
export const MAX_URL_LENGTH = 2048

/** Names that resolve only inside a network or on one machine (RFC 6761, RFC 8375, ICANN's private-use). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'test',
  'invalid',
  'onion',
  'i2p',
  'alt',
] // biome-format: keep

/**
 * Returns whether a text is an absolute URL with one of the schemes (`https:`), without credentials and
 * invisible characters. Invisible characters may be percent-encoded.
 */
export function isUrl(text: string, schemes: readonly string[]): boolean {
  const url = parse(text)
  if (url === undefined || hasInvisible(text)) return false
  return schemes.includes(url.protocol) && url.username === '' && url.password === ''
}

/**
 * Returns whether the service may send requests to a URL: https on port 443, no credentials, and a public DNS
 * name. Names of private networks and IP addresses in any notation are not allowed: the URL parser has
 * already turned `0x7f.1` and `2130706433` into 127.0.0.1.
 */
export function isPublicHttpsUrl(text: string): boolean {
  const url = parse(text)
  if (url === undefined || !isUrl(text, ['https:']) || url.port !== '') return false
  const host = nameOf(url)
  const labels = host.split('.')
  const isName =
    labels.length > 1 && !labels.includes('') && /^[a-z\d._-]+$/.test(host) && !/\.\d+$/.test(host)
  return isName && !PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
}

/** Returns whether a URL's host name, without its port, is in a list: names in any case, comma separated. */
export function isOnHost(text: string, hosts: string): boolean {
  const url = parse(text)
  return url !== undefined && hosts.toLowerCase().split(',').includes(nameOf(url))
}

/**
 * Returns the host and port of a URL in canonical form: lower case, decoded, in Punycode, without the
 * scheme's default port. Empty if the text is not a URL.
 */
export function hostOf(text: string): string {
  const url = parse(text)
  return url === undefined ? '' : `${nameOf(url)}${url.port === '' ? '' : `:${url.port}`}`
}

/** Removes a trailing dot: the name is the same to a resolver, but not to a comparison. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

const PLAIN_URL = new RegExp(`^[a-z][a-z0-9+.-]*${AFTER_SCHEME}`, 'iu')

/**
 * Parses a URL that every parser reads in the same way. The WHATWG parser also accepts white space,
 * backslashes, `https:host` and `https:///host`, which others read as another host or as a path. Refuses
 * credentials, too.
 */
function parse(text: string): URL | undefined {
  const isPlain = text.length <= MAX_URL_LENGTH && PLAIN_URL.test(text)
  return isPlain ? (URL.parse(text) ?? undefined) : undefined
}
