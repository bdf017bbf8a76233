import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import type { Db } from './connect.ts'
import { UnreadableAnswer } from './failures.ts'

/**
 * Runs statements in one round trip and one transaction.
 * @throws what Postgres refused, or UnreadableAnswer: unlike for a single query, Drizzle leaves the driver's own
 *   SyntaxError or TypeError as it is
 */
export async function batch<First extends BatchItem<'pg'>, T extends Readonly<[First, ...First[]]>>(
  db: Db,
  statements: T,
): Promise<BatchResponse<T>> {
  try {
    return await db.batch(statements)
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'NeonDbError') throw cause
    throw new UnreadableAnswer('the database sent what is no answer to a batch', { cause })
  }
}
