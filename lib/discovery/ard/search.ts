import * as v from 'valibot'
import { documentKinds } from '../../../schema/values.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import type { Publication } from './publication.ts'
import { type SearchPosition, selectFound } from './queries.ts'
import { type Filter, type Resource, wantedBy } from './rules.ts'

const Position = v.strictTuple([
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  v.pipe(v.number(), v.finite()),
  v.picklist(documentKinds),
  v.pipe(v.string(), v.maxLength(64)),
])

function positionIn(pageToken: string): SearchPosition {
  const [score, reputation, kind, key] = readCursor(Position, pageToken, 'pageToken')
  return { score, reputation, kind, key }
}

/**
 * Finds agents for a need, best first, with the token of the next page, if any.
 * @throws ApiError invalid_request for a token that the search did not issue
 */
export async function search(
  deps: { db: Db; publication: Publication },
  input: {
    query: { text: string; filter?: Filter | undefined }
    pageSize: number
    pageToken?: string | undefined
  },
): Promise<{ found: (Resource & { score: number })[]; pageToken?: string }> {
  const { text, filter = {} } = input.query
  const after = input.pageToken === undefined ? undefined : positionIn(input.pageToken)
  const wanted = wantedBy(filter, deps.publication.publisher)
  const read = await selectFound(deps.db, { ...wanted, text }, after, input.pageSize + 1)
  const { rows: found, last, hasMore } = pageOf(read, input.pageSize)
  if (!hasMore || !last) return { found }
  return { found, pageToken: makeCursor([last.score, last.reputationScore ?? -1, last.kind, last.key]) }
}
