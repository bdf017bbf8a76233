import * as v from 'valibot'
import { type AgentSort, agentSorts } from '../../../schema/values.ts'
import { makeCursor, notIssued, readCursor } from '../../cursor.ts'
import type { ReadAgent } from '../queries.ts'

/** The position of an agent of the list: its sort key, highest first, then its id. */
export type AgentCursor = { sortKey: number; id: string }

/** An agent of a list with its position in it. */
export type ListedAgent = ReadAgent & AgentCursor

/**
 * The position among agents found by need: by two keys, highest first, then the id.
 * `isClose`: among agents that have only some of the words.
 */
export type NeedCursor = { isClose: boolean; keys: [number, number]; id: string }

const Id = v.pipe(v.string(), v.uuid())
const Key = v.pipe(v.number(), v.finite())
/** Newest first is by id alone, and the default order names no sort. */
const ListPosition = v.union([
  v.strictTuple([Id]),
  v.strictTuple([Key, Id]),
  v.strictTuple([v.picklist(agentSorts), Key, Id]),
])
const Need = v.literal('need')
const NeedPosition = v.union([
  v.strictTuple([Need, v.picklist(agentSorts)]),
  v.strictTuple([Need, v.picklist(agentSorts), v.boolean(), Key, Key, Id]),
])

/** Makes the cursor after an agent of the list. */
export function encodeCursor({ sortKey, id }: AgentCursor, sort: AgentSort = 'reputation'): string {
  if (sort === 'newest') return makeCursor([id])
  return makeCursor(sort === 'reputation' ? [sortKey, id] : [sort, sortKey, id])
}

/** @throws ApiError invalid_request for a cursor that a list in this order did not issue */
export function decodeCursor(cursor: string, wanted: AgentSort = 'reputation'): AgentCursor {
  const position = readCursor(ListPosition, cursor)
  const [sort, sortKey, id] =
    position.length === 3
      ? position
      : position.length === 2
        ? (['reputation', ...position] as const)
        : (['newest', 0, ...position] as const)
  if (sort !== wanted) throw notIssued('cursor', new TypeError(`a cursor by ${sort}`))
  return { sortKey, id }
}

/** Makes the cursor after an agent found by need; without one, before the first that has every word. */
export const encodeNeedCursor = (last: NeedCursor | undefined, sort: AgentSort = 'reputation'): string =>
  makeCursor(last ? ['need', sort, last.isClose, ...last.keys, last.id] : ['need', sort])

/** Returns whether a cursor is one of {@link encodeNeedCursor}. */
export function isNeedCursor(cursor: string): boolean {
  const [first] = readCursor(v.array(v.unknown()), cursor)
  return first === 'need'
}

/** @throws ApiError invalid_request for a cursor that a search in this order did not issue */
export function decodeNeedCursor(cursor: string, wanted: AgentSort = 'reputation'): NeedCursor | undefined {
  const [, sort, isClose, first, second, id] = readCursor(NeedPosition, cursor)
  if (sort !== wanted) throw notIssued('cursor', new TypeError(`a cursor by ${sort}`))
  if (isClose === undefined || first === undefined || second === undefined || id === undefined) return
  return { isClose, keys: [first, second], id }
}
