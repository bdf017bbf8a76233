import * as v from 'valibot'
import { openCursor, sealCursor } from '../cursor.ts'

/** The place after an agent in the list's order (reputationScore desc, id desc). */
export type Place = { reputationScore: number; id: string }

const Parts = v.strictTuple([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.uuid())])

export const encodeCursor = ({ reputationScore, id }: Place): string => sealCursor([reputationScore, id])

/** @throws Refusal invalid_request when it is none of ours */
export function decodeCursor(cursor: string): Place {
  const [reputationScore, id] = openCursor(Parts, cursor)
  return { reputationScore, id }
}
