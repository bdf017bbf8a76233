import { LOOPBACK_HOST } from '../../../schema/loopback.ts'

/** Where an answer goes: a site, an app by its scheme, or a program on the user's computer. */
export type Destination = { kind: 'web' | 'app'; host: string } | { kind: 'computer' }

/** The longest redirect URI that is accepted. */
const MAX_LENGTH = 512

/** Schemes of apps without a dot. Others are names of domains in reverse (RFC 8252, 7.1). */
const APP_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:']

const APP_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/
const LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`)
const PRINTABLE = /^[\x21-\x7e]+$/

/**
 * Returns where a redirect URI leads; undefined if it can't be used. Its text must equal its parsed form:
 * otherwise `http://2130706433/` would be a loopback address to a browser and a name to a reader.
 */
export function destinationOf(uri: string): Destination | undefined {
  const url = parsed(uri)
  if (url === undefined) return undefined
  const { protocol, host, username, password } = url
  if (username !== '' || password !== '') return undefined
  if (protocol === 'https:') return host === '' ? undefined : { kind: 'web', host }
  if (protocol === 'http:') return LOOPBACK.test(host) ? { kind: 'computer' } : undefined
  const isApp = APP_SCHEMES.includes(protocol) || APP_SCHEME.test(protocol)
  return isApp ? { kind: 'app', host: protocol.slice(0, -1) } : undefined
}

/**
 * Returns whether a redirect URI is one of a client's. Texts must be equal; only the port of a loopback
 * address may differ, since programs take a free one (RFC 8252, 7.3).
 */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.some((each) => each === uri || isSameButPort(each, uri))

/** Adds parameters to the query of a redirect URI, and keeps the rest of its text. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

function parsed(uri: string): URL | undefined {
  if (uri.length > MAX_LENGTH || !PRINTABLE.test(uri) || /[#\\"'<>^`{|}]/.test(uri)) return undefined
  const url = URL.parse(uri)
  // Editors register `http://127.0.0.1:33418` without the slash that the parser adds.
  return url && (url.href === uri || url.href === `${uri}/`) ? url : undefined
}

function isSameButPort(a: string, b: string): boolean {
  if (destinationOf(a)?.kind !== 'computer' || destinationOf(b)?.kind !== 'computer') return false
  return withoutPort(a) === withoutPort(b)
}

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+)):\d+/, '$1')
