// Parts of regular expressions, which the API description repeats as `pattern`. So they only use the syntax
// that ECMA-262, Python and Rust share: no \p, \d, \w or \s, and no lookaround.

const NUL = '\\u0000'
/** Control characters, and characters that reverse the direction of text (Bidi_Control). */
const REVERSING = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const CONTROLS = `${NUL}-\\u001f\\u007f-\\u009f${REVERSING}`
const CONTROLS_OF_PROSE = `${NUL}-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${REVERSING}`
/** The characters that String.trim removes, besides controls. */
const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'

/** Any text that can be stored. */
export const ANY_TEXT = new RegExp(`^[^${NUL}]*$`, 'u')

/** Text of one line. */
export const TEXT = new RegExp(`^[^${CONTROLS}]*$`, 'u')

/** Text of several lines: line breaks and tabs are the only control characters in it. */
export const PROSE = new RegExp(`^[^${CONTROLS_OF_PROSE}]*$`, 'u')

/**
 * Returns the pattern of one line with `min` to `max` characters, without the white space around it.
 * @param max at least 2
 */
export function trimmedTextPattern(min: number, max: number): string {
  const inner = `[^${CONTROLS}]{${Math.max(0, min - 2)},${max - 2}}`
  const end = `[^${CONTROLS}${SPACES}]`
  const text = min > 1 ? `${end}${inner}${end}` : `${end}(?:${inner}${end})?`
  return `^[${SPACES}]*${text}[${SPACES}]*$`
}

/** A UUID, in any case. */
export const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

/** Matches Base58 of 32 bytes, and some other texts of the same length. */
export const BASE58_OF_32_BYTES = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** Matches Base58 of 64 bytes, and some other texts of the same length. */
export const BASE58_OF_64_BYTES = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** The characters in the path, the query and the fragment of a URL. */
const IN_URL = `[^${CONTROLS}${SPACES}\\\\]`
/**
 * The characters of a host, unless it is an IPv6 address. Only a URL parser knows whether the host is valid.
 */
const HOST = `[^${CONTROLS}${SPACES}\\\\/?#@:\\[\\]<>^|]+`
const AFTER_HOST = `(?:[/?#]${IN_URL}*)?$`

const IPV6 = '\\[(?:[0-9a-fA-F]{0,4}:){2,8}(?:[0-9a-fA-F]{0,4}|[0-9.]+)\\]'
/** A port up to 65535. */
const PORT = '0*(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** The rest of a URL after its scheme, without credentials. */
export const AFTER_SCHEME = `://(?:${HOST}|${IPV6})(?::(?:${PORT})?)?${AFTER_HOST}`

/** Returns the pattern of a scheme in any case, for dialects without a case-insensitive flag. */
const anyCase = (scheme: string) => scheme.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** Returns the pattern of an absolute URL with one of the schemes, without credentials. */
export const urlWith = (schemes: readonly string[]): RegExp =>
  new RegExp(`^(?:${schemes.map(anyCase).join('|')})${AFTER_SCHEME}`, 'u')

/** Returns the pattern of an https URL on port 443, not of an IPv6 address, without credentials. */
export const webhookUrlPattern = (): string => `^${anyCase('https')}://${HOST}(?::0*443|:)?${AFTER_HOST}`
