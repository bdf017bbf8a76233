import * as v from 'valibot'
import type { AgentSort } from '../../../schema/values.ts'
import { makeCursor, readCursor } from '../../cursor.ts'

/** The sort key (reputationScore desc, id desc) of the last agent of a page. */
export type AgentCursor = { reputationScore: number; id: string }

const Id = v.pipe(v.string(), v.uuid())
const ByReputation = v.strictTuple([v.pipe(v.number(), v.finite()), Id])
/** Newest first is by id alone. */
const ByAge = v.strictTuple([Id])

export const encodeCursor = ({ reputationScore, id }: AgentCursor, sort: AgentSort = 'reputation'): string =>
  makeCursor(sort === 'newest' ? [id] : [reputationScore, id])

/** @throws ApiError invalid_request for a cursor that a list in this order did not issue */
export function decodeCursor(cursor: string, sort: AgentSort = 'reputation'): AgentCursor {
  if (sort === 'newest') {
    const [id] = readCursor(ByAge, cursor)
    return { reputationScore: Number.POSITIVE_INFINITY, id }
  }
  const [reputationScore, id] = readCursor(ByReputation, cursor)
  return { reputationScore, id }
}
