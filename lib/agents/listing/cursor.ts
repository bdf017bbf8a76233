import * as v from 'valibot'
import { openCursor, sealCursor } from '../../cursor.ts'

/** What the list's order (reputationScore desc, id desc) has of the last agent that was given out. */
export type AgentCursor = { reputationScore: number; id: string }

const Parts = v.strictTuple([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.uuid())])

export const encodeCursor = ({ reputationScore, id }: AgentCursor): string =>
  sealCursor([reputationScore, id])

/** @throws Refusal invalid_request for a cursor that this list did not give out */
export function decodeCursor(cursor: string): AgentCursor {
  const [reputationScore, id] = openCursor(Parts, cursor)
  return { reputationScore, id }
}
