/*
 * Words of a text for a search in memory, in the form of the Postgres function text_words. These stems
 * are compared only with each other, so they may differ from those of Postgres.
 */

/** Accents of Latin, Greek and Cyrillic, and characters that show nothing. */
const SIGNS =
  /[\u0300-\u036F]|[\u0483-\u0489]|[\u200B-\u200F]|[\u202A-\u202E]|[\u2060-\u206F]|[\uFE00-\uFE0F]|\u00AD|\uFEFF/g
/** Letters that Unicode does not take apart. */
const LETTERS: Record<string, string> = { ς: 'σ', ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ı: 'i', ŧ: 't' }
const LIGATURES: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }
const APART = /[ςøđłħıŧßæœþ]/g

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
// Made at their first use: most requests search nothing.
let word: RegExp | undefined
let startsUnspaced: RegExp | undefined

/** The most characters of a text that are read. */
const MAX_LENGTH = 4_000

/** Words that say nothing. */
const STOP_WORDS = new Set(
  `a about all am an and any are as at be because been but by can do does for from had has have he her his how i if
  in into is it its just me my no not of on or our out she should so some such than that the their them then there
  these they this those to too up very was we were what when where which who whom why will with you your`.split(
    /\s+/,
  ),
)

const hasVowel = (text: string) => /[aeiouy]/.test(text)

/** Removes the inflection of an English word: `prices`, `priced` and `pricing` become `pric`. */
function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  let stem = word
  if (/(?:ss|x|ch|sh)es$/.test(stem)) stem = stem.slice(0, -2)
  else if (/ies$/.test(stem)) stem = `${stem.slice(0, -3)}y`
  else if (/[^aisu]s$|[^s]es$/.test(stem)) stem = stem.slice(0, -1)
  const [ending = ''] = /(?:ing|ed)$/.exec(stem) ?? []
  const root = stem.slice(0, stem.length - ending.length)
  if (ending !== '' && root.length > 1 && hasVowel(root)) stem = root.replace(/([^aeiouls])\1$/, '$1')
  return stem.replace(/(..)e$/, '$1').replace(/(..)y$/, '$1i')
}

/**
 * Returns the stems of a text's words in order, without words that say nothing. Case, accents, width and
 * normal form do not matter. A script without spaces gives overlapping pairs of characters.
 */
export function stemsIn(text: string): string[] {
  const folded = text
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .replace(SIGNS, '')
    .toLowerCase()
    .replace(APART, (letter) => LETTERS[letter] ?? LIGATURES[letter] ?? letter)
    .normalize('NFKC')
  const stems: string[] = []
  let before: { unit: string; end: number; isPaired: boolean } | undefined
  const endRow = () => {
    if (before && !before.isPaired) stems.push(before.unit)
    before = undefined
  }
  word ??= new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
  startsUnspaced ??= new RegExp(`^[${UNSPACED}]`, 'u')
  for (const { 0: found, index } of folded.matchAll(word)) {
    const isUnit = startsUnspaced.test(found)
    const isNext = isUnit && before?.end === index
    if (isNext && before) stems.push(before.unit + found)
    else endRow()
    if (isUnit) before = { unit: found, end: index + found.length, isPaired: isNext }
    else if (!STOP_WORDS.has(found)) stems.push(stemOf(found))
  }
  endRow()
  return stems
}
