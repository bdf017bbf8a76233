import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'

/** Drizzle's query builder, without a connection, so that its queries belong to no request. */
export type Builder = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

/** Creating it also makes the driver return times and intervals as text, in the whole process. */
export const builder: Builder = drizzle.mock()
