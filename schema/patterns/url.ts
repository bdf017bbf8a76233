import { CONTROLS, SPACES } from './text.ts'

// Written as text.ts says.

/** What may stand in the path, the query and the fragment of a URL. */
const IN_URL = `[^${CONTROLS}${SPACES}\\\\]`
/** The characters of a host that is no IPv6 address; which of them make a host, only a URL parser knows. */
const HOST = `[^${CONTROLS}${SPACES}\\\\/?#@:\\[\\]<>^|]+`
const AFTER_HOST = `(?:[/?#]${IN_URL}*)?$`

const IPV6 = '\\[(?:[0-9a-fA-F]{0,4}:){2,8}(?:[0-9a-fA-F]{0,4}|[0-9.]+)\\]'
/** Up to 65535. */
const PORT = '0*(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** What follows a scheme in a URL without credentials. */
export const AFTER_SCHEME = `://(?:${HOST}|${IPV6})(?::(?:${PORT})?)?${AFTER_HOST}`

/** A scheme in any case, for dialects of regular expressions that are not told to ignore it. */
const anyCase = (scheme: string) => scheme.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** An absolute URL with one of the schemes, without credentials. */
export const urlWith = (schemes: readonly string[]): RegExp =>
  new RegExp(`^(?:${schemes.map(anyCase).join('|')})${AFTER_SCHEME}`, 'u')

/** The same with https, on port 443, and not to an IPv6 address. */
export const webhookUrlPattern = (): string => `^${anyCase('https')}://${HOST}(?::0*443|:)?${AFTER_HOST}`
