const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u{13430}-\\u{13442}\\u{1d159}'
const SEEN = `[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}${UNSEEN}]`
const JOINERS = '\\u200c\\u200d'
const SELECTORS = '\\ufe0e\\ufe0f'

/**
 * The hidden characters that the service refuses in texts. It also refuses a joiner at the end of a word
 * after a mark that is no virama, which this does not find. A test compares both.
 */
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
    `(?![${JOINERS}${SELECTORS}])[${UNSEEN}]`,
    `(?<!${SEEN})[${SELECTORS}]`,
    `(?<!${SEEN}[${SELECTORS}]?)[${JOINERS}]`,
    `(?<!\\p{M})[${JOINERS}](?!${SEEN})`,
  ].join('|'),
  'u',
)

/** Returns what is wrong with a text that has a hidden character, and where it is. */
export function hiddenProblem(text: string): string | undefined {
  const found = HIDDEN.exec(text)
  if (!found) return undefined
  const before = [...text.slice(0, found.index).trimEnd()].slice(-12).join('')
  return `Hidden character ${before === '' ? 'at the beginning' : `after “${before}”`}: remove it, or type the text again.`
}
