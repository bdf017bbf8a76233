import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'

/** Drizzle's query builder, without a connection: what it builds belongs to no request. */
export type Builder = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

export const builder: Builder = drizzle.mock()
