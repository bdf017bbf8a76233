import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'

/** Drizzle's query builder, without a connection: what it builds belongs to no request. */
export type Builder = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

/** It sets the driver's readers of times and intervals, for all that this process reads: they stay text. */
export const builder: Builder = drizzle.mock()
