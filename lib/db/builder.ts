import type { Query, SQLWrapper, WithSubquery } from 'drizzle-orm'
import type { NeonHttpDatabase, NeonHttpQueryResultHKT } from 'drizzle-orm/neon-http'
import {
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
import type { Field } from './rows.ts'

/** Drizzle's query builder, without a connection, so that its queries belong to no request. */
export type Builder = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

export const dialect = new PgDialect()

/** What a query's `prepare` returns: its text, and how to read its rows. */
export type Prepared = {
  query: Query
  /** The selected values in order. Undefined for a change without `returning`. */
  fields: Field[] | undefined
  /** For a query with joins: by a table's name, whether every row has it. The query sets it. */
  joinsNotNullableMap?: Record<string, boolean>
}

/** The method of a session that queries call. Drizzle's own sessions bundle 16 KB that nothing here uses. */
const prepareQuery = (query: Query, fields: Field[] | undefined): Prepared => {
  const prepared = { query, fields, setToken: () => prepared }
  return prepared
}
const session = { prepareQuery } as unknown as PgSession<NeonHttpQueryResultHKT>

const startWith = (withList: WithSubquery[]) => {
  const select = (fields: SelectedFields | undefined, distinct?: true | { on: SQLWrapper[] }) =>
    new PgSelectBuilder({ fields, session, dialect, withList, ...(distinct && { distinct }) })
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
  ...startWith([]),
  with: (...queries: WithSubquery[]) => startWith(queries),
  $with: new QueryBuilder(dialect).$with,
} as unknown as Builder
