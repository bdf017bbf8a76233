import { hasUnseen } from './hidden.ts'
import { AFTER_SCHEME } from './patterns.ts'

/** The longest URL that is stored, in characters. */
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
 * Checks that the text is an absolute URL with one of the schemes (`https:`), without credentials and without
 * characters that nobody sees, which a URL can have percent-encoded.
 */
export function isUrl(text: string, schemes: readonly string[]): boolean {
  const url = parse(text)
  if (url === undefined || hasUnseen(text)) return false
  return schemes.includes(url.protocol) && url.username === '' && url.password === ''
}

/**
 * Checks that the service may send requests to the URL: https on port 443, no credentials, and a public DNS
 * name, not an IP address in any notation (the URL parser has already turned `0x7f.1` and `2130706433` into
 * 127.0.0.1) and not a name of a private network.
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

/** Checks whether the URL leads to one of some hosts: names in any case, separated by commas. */
export function isOnHost(text: string, hosts: string): boolean {
  const url = parse(text)
  return url !== undefined && hosts.toLowerCase().split(',').includes(nameOf(url))
}

/**
 * The host and port that the URL leads to, in one spelling for all ways to write it: lower case, decoded, in
 * Punycode, without the scheme's own port. Empty if it is no URL.
 */
export function hostOf(text: string): string {
  const url = parse(text)
  return url === undefined ? '' : `${nameOf(url)}${url.port === '' ? '' : `:${url.port}`}`
}

/** A trailing dot is the same name to a resolver but not to a comparison. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

const PLAIN_URL = new RegExp(`^[a-z][a-z0-9+.-]*${AFTER_SCHEME}`, 'iu')

/**
 * Parses only what every parser reads alike: the WHATWG parser also takes white space, backslashes,
 * `https:host` and `https:///host`, which others read as another host or as a path. Text with credentials is
 * refused, too.
 */
function parse(text: string): URL | undefined {
  const isPlain = text.length <= MAX_URL_LENGTH && PLAIN_URL.test(text)
  return isPlain ? (URL.parse(text) ?? undefined) : undefined
}
