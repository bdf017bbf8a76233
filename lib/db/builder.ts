import type { NeonHttpQueryResultHKT } from 'drizzle-orm/neon-http'
import {
  type PgDatabase,
  PgDeleteBase,
  PgDialect,
  PgInsertBuilder,
  PgSelectBuilder,
  type PgSession,
  type PgTable,
  PgUpdateBuilder,
  QueryBuilder,
  type SelectedFields,
} from 'drizzle-orm/pg-core'
import type { Query, SQLWrapper } from 'drizzle-orm/sql'
import type { WithSubquery } from 'drizzle-orm/subquery'

/** Drizzle's query builder, without a connection: what it builds belongs to no request. */
export type Builder = Pick<
  PgDatabase<NeonHttpQueryResultHKT>,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

export const dialect = new PgDialect()

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

/** As PgDatabase makes them, which would bring queries of relations and views into each Worker. */
const queriesWith = (withList: WithSubquery[]) => {
  const select = (fields: SelectedFields | undefined, distinct: boolean | { on: SQLWrapper[] } = false) =>
    new PgSelectBuilder({ fields, session, dialect, withList, distinct })
  return {
    select: (fields?: SelectedFields) => select(fields),
    selectDistinct: (fields?: SelectedFields) => select(fields, true),
    selectDistinctOn: (on: SQLWrapper[], fields?: SelectedFields) => select(fields, { on }),
    insert: (table: PgTable) => new PgInsertBuilder(table, session, dialect, withList),
    update: (table: PgTable) => new PgUpdateBuilder(table, session, dialect, withList),
    delete: (table: PgTable) => new PgDeleteBase(table, session, dialect, withList),
  }
}

export const builder = {
  ...queriesWith([]),
  with: (...queries: WithSubquery[]) => queriesWith(queries),
  $with: new QueryBuilder(dialect).$with,
} as unknown as Builder
