import type { Answer } from './service.ts'

/** How many answers have each error code, or each status where there is none. */
export const codes = (answers: Answer[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = String(body.code ?? status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
