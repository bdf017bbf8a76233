import * as v from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { EndpointDeps } from './deps.ts'
import { type EndpointRow, findEndpoint, selectEndpoints } from './endpoint-queries.ts'
import { endpointNotFound } from './errors.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of the wallet's endpoints and its agents' webhooks, newest first.
 * @throws ApiError `invalid_request` for a cursor that this list did not issue
 */
export async function listEndpoints(
  { db }: Pick<EndpointDeps, 'db'>,
  wallet: Wallet,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ endpoints: EndpointRow[]; nextCursor?: string }> {
  const [before] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const read = await selectEndpoints(db, { wallet, before, limit: limit + 1 })
  const { rows: endpoints, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { endpoints, nextCursor: makeCursor([last.id]) } : { endpoints }
}

/**
 * Reads an endpoint of the wallet.
 * @throws ApiError endpoint_not_found
 */
export async function readEndpoint(
  { db }: Pick<EndpointDeps, 'db'>,
  wallet: Wallet,
  id: string,
): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, { id, wallet })
  if (!endpoint) throw endpointNotFound()
  return endpoint
}
