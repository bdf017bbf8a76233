import { hasMisplacedInvisible } from '../../../schema/hidden.ts'
import { isStorable } from '../../../schema/storable.ts'
import { KEY_PATH } from './route.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The deepest value that is stored, so that no reader of it runs out of stack. */
const MAX_DEPTH = 32

/**
 * Checks all texts of a value, also names of members: a listing is shown to people and given to models.
 * @returns undefined if it may be stored
 */
export function textError(value: unknown): 'too_large' | 'unsafe_text' | undefined {
  // A growing list instead of recursion, which a deeply nested value would overflow.
  const rest = [{ value, depth: 0 }]
  for (const { value, depth } of rest) {
    if (typeof value === 'string') {
      if (!isSafe(value)) return 'unsafe_text'
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) return 'too_large'
      for (const [name, member] of Object.entries(value))
        rest.push({ value: name, depth: depth + 1 }, { value: member, depth: depth + 1 })
    }
  }
  return undefined
}

/** Controls other than tab and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

const isSafe = (text: string) =>
  isStorable(text) &&
  !CONTROL.test(text) &&
  !hasMisplacedInvisible(text) &&
  !text.toLowerCase().includes(KEY_PATH)
