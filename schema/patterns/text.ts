// Parts of regular expressions, which the API description repeats as `pattern`. So they are written in what
// ECMA-262, Python and Rust read alike: no \p, \d, \w or \s, and no lookaround.
// A file for each kind, so that a Worker's bundle has only what it checks.

const NUL = '\\u0000'
/** Control characters, and those that reverse the direction of what follows (Bidi_Control). */
const REVERSING = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
export const CONTROLS = `${NUL}-\\u001f\\u007f-\\u009f${REVERSING}`
const CONTROLS_OF_PROSE = `${NUL}-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${REVERSING}`
/** What String.trim takes away, besides controls. */
export const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'

/** Any text that can be stored. */
export const ANY_TEXT = new RegExp(`^[^${NUL}]*$`, 'u')

/** Text of one line. */
export const TEXT = new RegExp(`^[^${CONTROLS}]*$`, 'u')

/** Text of several lines: line breaks and tabs are the only control characters in it. */
export const PROSE = new RegExp(`^[^${CONTROLS_OF_PROSE}]*$`, 'u')

/** Text of one line that has so many characters when the white space around it is taken away. */
export function trimmedTextPattern(min: number, max: number): string {
  const inner = `[^${CONTROLS}]{${Math.max(0, min - 2)},${max - 2}}`
  const end = `[^${CONTROLS}${SPACES}]`
  const text = min > 1 ? `${end}${inner}${end}` : `${end}(?:${inner}${end})?`
  return `^[${SPACES}]*${text}[${SPACES}]*$`
}
