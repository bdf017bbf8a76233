// Finds characters that people do not see in a text, although programs and language models read them.

/**
 * Invisible characters. Unicode says that Default_Ignorable ones are not displayed, such as zero-width
 * spaces, tags, variation selectors and Hangul fillers. The others are blanks and controls: the empty Braille
 * pattern, interlinear annotation, controls and blanks of hieroglyphs, and the note without a head.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u{13430}-\\u{13442}\\u{1d159}'
const SEEN = `[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}${UNSEEN}]`

/** Joiners of Persian and Indic scripts, and of composed emoji. */
const JOINERS = '\\u200c\\u200d'
/**
 * Signs that remove a consonant's vowel (Canonical_Combining_Class 9 of Unicode 17). A joiner after one
 * selects the consonant's form, also at the end of a word: Malayalam's chillus, and half forms of Sinhala and
 * Hindi.
 */
const VIRAMAS =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba' +
  '\\u0f84\\u1039\\u103a\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f' +
  '\\ua806\\ua82c\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{11070}\\u{1107f}' +
  '\\u{110b9}\\u{11133}\\u{11134}\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{113ce}-\\u{113d0}' +
  '\\u{11442}\\u{114c2}\\u{115bf}\\u{1163f}\\u{116b6}\\u{1172b}\\u{11839}\\u{1193d}\\u{1193e}' +
  '\\u{119e0}\\u{11a34}\\u{11a47}\\u{11a99}\\u{11c3f}\\u{11d44}\\u{11d45}\\u{11d97}' +
  '\\u{11f41}\\u{11f42}\\u{1612f}'
/** Selectors of a character's display as text or as an emoji. */
const SELECTORS = '\\ufe0e\\ufe0f'

const MISPLACED = [
  `(?![${JOINERS}${SELECTORS}])[${UNSEEN}]`,
  `(?<!${SEEN})[${SELECTORS}]`,
  `(?<!${SEEN}[${SELECTORS}]?)[${JOINERS}]`,
  `(?<![${VIRAMAS}])[${JOINERS}](?!${SEEN})`,
].join('|')

// Made at their first use, since every Worker's start would have to read Unicode's properties.
let unseen: RegExp | undefined
let misplaced: RegExp | undefined

/** Returns whether a text has an invisible character. */
export function hasInvisible(text: string): boolean {
  unseen ??= new RegExp(`[${UNSEEN}]`, 'u')
  return unseen.test(text)
}

/**
 * Returns whether a text that people write has a misplaced invisible character. Three uses are allowed
 * (ContextJ of IDNA2008, RFC 5892, appendix A): a variation selector after a visible character, a joiner
 * between two of them, and a joiner after a virama. The flags of England, Scotland and Wales consist of tags,
 * and are not allowed.
 */
export function hasMisplacedInvisible(text: string): boolean {
  // Most texts have none, and the other expression takes several times as long.
  if (!hasInvisible(text)) return false
  misplaced ??= new RegExp(MISPLACED, 'u')
  return misplaced.test(text)
}
