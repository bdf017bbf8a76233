// What nobody sees in a text, though programs and language models read it.

/**
 * Characters that show nothing: all that Unicode says are to be ignored in display (Default_Ignorable, such
 * as zero-width spaces, tags, variation selectors and Hangul fillers), and blanks and controls beside them:
 * the empty pattern of Braille, interlinear annotation, controls and blanks of hieroglyphs, and the note
 * without a head.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u{13430}-\\u{13442}\\u{1d159}'
const SEEN = `[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}${UNSEEN}]`

/** Of Persian and Indic scripts, and of emoji made of several. */
const JOINERS = '\\u200c\\u200d'
/** Whether a character is shown as text or as an emoji. */
const SELECTORS = '\\ufe0e\\ufe0f'

const unseen = new RegExp(`[${UNSEEN}]`, 'u')
const misplaced = new RegExp(
  [
    `(?![${JOINERS}${SELECTORS}])[${UNSEEN}]`,
    `(?<!${SEEN})[${SELECTORS}]`,
    `(?<!${SEEN}[${SELECTORS}]?)[${JOINERS}]`,
    `[${JOINERS}](?!${SEEN})`,
  ].join('|'),
  'u',
)

/** Tells whether a text holds a character that shows nothing. */
export const hasUnseen = (text: string): boolean => unseen.test(text)

/**
 * The same of a text that people write: a variation selector may stand after a character that shows, and a
 * joiner between two. Flags of England, Scotland and Wales are made of tags, and are refused with them.
 */
export const hasHidden = (text: string): boolean => misplaced.test(text)
