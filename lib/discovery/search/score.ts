import { stemsIn } from './stems.ts'

/** The least score of a result: one word of a need of eight in a name, or two in a description. */
export const MIN_SCORE = 12

/** Weights of a word in a name, in a type and capabilities, and in a description. */
export const WEIGHTS = [1, 0.8, 0.5] as const

/**
 * A word is common if it is in more than its share of these documents. It finds nothing by itself and counts
 * half.
 */
export const FOUND = 500

/** The most words of a search that are looked up. */
export const MAX_WORDS = 8

/** The stems of a text by weight: in its name, terms and description, each with a blank on both sides. */
export type StemmedText = readonly [name: string, terms: string, description: string]

/** Makes the stems of a text's parts, without duplicates. */
export const stemmed = (
  ...parts: readonly [name: string, terms: string, description: string]
): StemmedText => {
  const [name, terms, description] = parts.map((part) => ` ${[...new Set(stemsIn(part))].join(' ')} `)
  return [name ?? '', terms ?? '', description ?? '']
}

const weightOf = (text: StemmedText, stem: string): number => {
  const at = text.findIndex((part) => part.includes(` ${stem} `))
  return WEIGHTS[at] ?? 0
}

const relevanceOf = (weights: readonly number[]): number =>
  weights.length === 0 ? 0 : Math.round((100 * weights.reduce((sum, one) => sum + one, 0)) / weights.length)

/**
 * Scores texts for a need, as lib/discovery/ard does in SQL: the mean weight of the need's words, of which
 * the rarer ones make half.
 * @returns a score of 0 to 100 for each text
 */
export function scoresOf(texts: readonly StemmedText[], need: string): number[] {
  const words = [...new Set(stemsIn(need))].slice(0, MAX_WORDS)
  const weights = texts.map((text) => words.map((word) => weightOf(text, word)))
  const share = FOUND / Math.max(words.length, 1)
  const rare = words.flatMap((_, word) => {
    const count = weights.filter((of) => of[word]).length
    return count > 0 && count <= share ? [word] : []
  })
  return weights.map((of) => {
    const all = relevanceOf(of)
    const rarer = rare.length === 0 ? all : relevanceOf(rare.map((word) => of[word] ?? 0))
    return Math.floor((all + rarer) / 2)
  })
}
