import * as v from 'valibot'
import { constrain } from '../docs.ts'
import { hasMisplacedInvisible } from '../hidden.ts'
import { ANY_TEXT, PROSE, TEXT, trimmedTextPattern } from '../patterns.ts'
import { isStorable } from '../storable.ts'

// Schemas of texts. schema/storable.ts checks for every request that a text can be stored.

/**
 * Replaces a text that can't be stored by an empty one. Use it for texts that are verified or looked up: they
 * get the error code of any other invalid or unknown text.
 */
export const storableOrEmpty = v.transform((text: string) => (isStorable(text) ? text : ''))

/**
 * Text that is decoded, verified or looked up, with an error code of its own.
 * @param pattern its form, for the API description
 */
export function Opaque(pattern?: string) {
  const text = v.string()
  if (pattern !== undefined) constrain(text, { pattern })
  return v.pipe(text, storableOrEmpty)
}

/** Any text, which is only compared with known values. */
export const AnyText = v.pipe(v.string(), v.regex(ANY_TEXT, 'must not contain U+0000'))

/** Text of one line, without control characters and characters that reverse its direction. */
export const Text = v.pipe(v.string(), v.regex(TEXT, 'must not contain control characters'))

/** Text of several lines. Line breaks and tabs are the only control characters in it. */
export const Lines = v.pipe(
  v.string(),
  v.regex(PROSE, 'must not contain control characters other than line breaks and tabs'),
)

/** Text of one line for a search, without the white space around it; its length is in code points. */
export function Query(min: number, max: number) {
  const isShort = v.maxCodePoints<string, number>(max)
  // JSON Schema counts before the text is trimmed.
  constrain(isShort, { pattern: trimmedTextPattern(min, max) })
  return v.pipe(Text, v.trim(), v.minCodePoints(min), isShort)
}

/** The rules of search, for the description only. */
export const SEARCH_WORDS =
  'Words end at spaces and punctuation, so “nft” finds “DeFi/NFT”. Case, accents, width and Unicode normal form do not matter. In scripts without spaces, such as Japanese or Thai, any part of the text matches.'

// A text for other people has no hidden characters (schema/hidden.ts).
const isSeen = v.check<string, string>(
  (text) => !hasMisplacedInvisible(text),
  'must not contain invisible characters, except joiners between visible ones or after a virama, and variation selectors after one',
)
// In a function, so that it is read at its first use: see schema/hidden.ts.
const hasVisible = (text: string) => /[^\p{C}\p{Z}\p{M}]/u.test(text)
const INVISIBLE = 'must contain a visible character'
const isVisible = v.check<string, string>(hasVisible, INVISIBLE)
const isVisibleOrEmpty = v.check<string, string>((text) => text === '' || hasVisible(text), INVISIBLE)

/** Text of one line that others read: a name, a description, a reason. */
export const Name = (min: number, max: number) => v.pipe(Query(min, max), isSeen, isVisible)

/** Text of several lines that others read, or none. */
export const Prose = (max: number) => v.pipe(Lines, v.maxCodePoints(max), isSeen, isVisibleOrEmpty)

/** The input or the delivery of a job: text of several lines that the other side reads, limited in bytes. */
export const Work = (maxBytes: number) =>
  v.pipe(Lines, v.minLength(1), v.maxBytes(maxBytes), isSeen, isVisible)
