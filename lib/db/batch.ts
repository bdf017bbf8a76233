import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import type { Db } from './connect.ts'
import { answerOf } from './failures.ts'

/**
 * Runs statements in one round trip and one transaction.
 * @throws what Postgres refused, or UnreadableAnswer
 */
export const batch = <First extends BatchItem<'pg'>, T extends Readonly<[First, ...First[]]>>(
  db: Db,
  statements: T,
): Promise<BatchResponse<T>> => answerOf(db.batch(statements))
