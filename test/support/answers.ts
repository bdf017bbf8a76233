import type { Answer } from './service.ts'

/** Counts answers by error code, or by status if they have no code. */
export const codes = (answers: Answer[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = String(body.code ?? status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
