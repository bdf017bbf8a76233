import { curlOf } from './curl.ts'
import type { Placed } from './description.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

/** A request in one language. */
export type Sample = { language: string; code: string }

/** Returns an operation's example in each language that can make the request. */
export function samplesOf(placed: Placed): Sample[] {
  const written: [string, string | undefined][] = [
    ['curl', curlOf(placed)],
    ['TypeScript', typescriptOf(placed)],
    ['Python', pythonOf(placed)],
  ]
  return written.flatMap(([language, code]) => (code === undefined ? [] : [{ language, code }]))
}
