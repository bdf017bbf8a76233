import * as v from 'valibot'
import type { HireStatus } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { agentNotFound, hireNotFound } from '../errors.ts'
import { type HireOfAgent, selectHire, selectHires } from './hire-list-queries.ts'
import { type HireByHirer, selectHiresOfAgent } from './hirer-queries.ts'

/**
 * Reads a hire as it is now, for its hirer or its agent's owner.
 * @throws ApiError hire_not_found, also for a hire between other wallets
 */
export async function readHire(
  { db, now }: { db: Db; now: Date },
  wallet: Wallet,
  id: string,
): Promise<HireOfAgent> {
  const hire = await selectHire(db, { id, wallet, now })
  if (!hire) throw hireNotFound()
  return hire
}

type HireQuery = { status?: HireStatus | undefined; limit: number; cursor?: string | undefined }

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of the hires of the owner's agent as they are now, newest first.
 * @throws ApiError agent_not_found, also for an agent of another wallet
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listHirers(
  deps: { db: Db; now: Date },
  agent: { id: string; owner: Wallet },
  query: HireQuery,
): Promise<{ hires: HireByHirer[]; nextCursor?: string }> {
  const { status, limit, cursor } = query
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const page = { status, beforeId, limit: limit + 1, now: deps.now }
  const read = await selectHiresOfAgent(deps.db, agent, page)
  if (!read) throw agentNotFound()
  const { rows: hires, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { hires, nextCursor: makeCursor([last.hire.id]) } : { hires }
}

/**
 * Lists one page of the wallet's hires as they are now, newest first.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listHires(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  query: HireQuery,
): Promise<{ hires: HireOfAgent[]; nextCursor?: string }> {
  const { status, limit, cursor } = query
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const page = { status, beforeId, limit: limit + 1, now: deps.now }
  const read = await selectHires(deps.db, wallet, page)
  const { rows: hires, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { hires, nextCursor: makeCursor([last.hire.id]) } : { hires }
}
