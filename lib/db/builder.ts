import type { NeonHttpQueryResultHKT } from 'drizzle-orm/neon-http'
import { PgDatabase, PgDialect, type PgSession } from 'drizzle-orm/pg-core'
import type { Query } from 'drizzle-orm/sql'

/** Drizzle's query builder, without a connection: what it builds belongs to no request. */
export type Builder = Pick<
  PgDatabase<NeonHttpQueryResultHKT>,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

/**
 * In the place of a session of Drizzle's, which would bring its driver into each Worker: queries are compiled
 * (compile.ts) and sent by the driver's own client.
 */
const session = {
  prepareQuery(query: Query, fields: unknown) {
    const prepared = { fields, getQuery: () => query, setToken: () => prepared }
    return prepared
  },
} as unknown as PgSession<NeonHttpQueryResultHKT>

export const builder: Builder = new PgDatabase(new PgDialect(), session, undefined)
