import * as v from 'valibot'
import { isInstant } from '../../../schema/times.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import { type AttemptCursor, type AttemptRow, selectAttempts } from './attempt-queries.ts'
import type { EndpointDeps } from './deps.ts'
import { endpointNotFound } from './errors.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.check(isInstant)), v.pipe(v.string(), v.uuid())])

/** An endpoint, and the event whose attempts to list; by default all. */
type Filter = { id: string; eventId?: string | undefined }

/**
 * Lists one page of the attempts at an endpoint of the wallet, newest first.
 * @throws ApiError `endpoint_not_found`; `invalid_request` for a cursor that this list did not issue
 */
export async function listAttempts(
  { db }: Pick<EndpointDeps, 'db'>,
  wallet: Wallet,
  { id, eventId, limit, cursor }: Filter & { limit: number; cursor?: string | undefined },
): Promise<{ attempts: AttemptRow[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read = await selectAttempts(db, { id, eventId, wallet, after, limit: limit + 1 })
  if (!read) throw endpointNotFound()
  const { rows: attempts, last, hasMore } = pageOf(read, limit)
  if (!hasMore || !last) return { attempts }
  return { attempts, nextCursor: makeCursor([last.attemptedAt.toISOString(), last.eventId]) }
}

function decodeCursor(cursor: string): AttemptCursor {
  const [attemptedAt, eventId] = readCursor(CursorParts, cursor)
  return { attemptedAt: new Date(attemptedAt), eventId }
}
