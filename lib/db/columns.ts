import { type Column, getTableColumns, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { type AnyPgTable, type PgColumnBuilderBase, pgTable } from 'drizzle-orm/pg-core'

/** A CTE with these columns of a table's rows, as this statement found or left them. */
export type Columns<Row, Names extends keyof Row = keyof Row> = WithSubquery & { [Name in Names]: SQLWrapper }

/** The columns of a CTE or subquery, for a nested selection: `select({ hire: columnsOf(created) })`. */
export const columnsOf = <Columns>(subquery: { _: { selectedFields: Columns } }): Columns =>
  subquery._.selectedFields

/** The bare names of columns, as an insert lists them. */
export const names = (...columns: Column[]): SQL =>
  sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )

/**
 * Columns that a CTE of SQL text computes, in no table:
 * `db.$with('due', { id: hires.id, ...computed({ renews: boolean() }) })`.
 * The text names them by the same handle, so that a renamed one does not compile:
 * `… as ${name(dueColumns.renews)}`.
 */
export const computed = <Columns extends Record<string, PgColumnBuilderBase>>(columns: Columns) =>
  // Drizzle caches the names of columns by their table's name, which must not be another's.
  getTableColumns(pgTable(`computed ${Object.keys(columns)}`, columns))

/**
 * Rows of a JSON array of objects, to select from. The objects' members are named as the columns are.
 * @param columns see {@link computed}
 */
export const recordset = (json: SQLWrapper, columns: Record<string, Column>): SQL => {
  const definitions = Object.values(columns).map(
    (column) => sql`${name(column)} ${sql.raw(column.getSQLType())}`,
  )
  return sql`json_to_recordset(${json}) as record (${sql.join(definitions, sql`, `)})`
}

/** The bare name of one column. */
export const name = (column: Column): SQL => sql`${sql.identifier(column.name)}`

/**
 * The fields of a select that an insert takes its rows from: a value for each column, in the table's order.
 */
export const rowFields = <Table extends AnyPgTable>(
  table: Table,
  values: Record<keyof Table['$inferSelect'] & string, SQLWrapper>,
) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [
      key,
      sql`${values[key as keyof typeof values]}`.as(column.name),
    ]),
  ) as Record<keyof Table['$inferSelect'] & string, SQL.Aliased>

/** Whether a CTE has rows. */
export const hasRows = (cte: { _: { alias: string } }): SQL<boolean> =>
  sql<boolean>`exists (select from ${sql.identifier(cte._.alias)})`

/** Values of some of a table's columns. */
export type RowValues<Table extends AnyPgTable> = {
  [Key in keyof Table['$inferInsert']]?: Table['$inferInsert'][Key] | undefined
}

/**
 * Values of a table's columns as a JSON object that Postgres makes a row of (json_populate_record): by the
 * columns' names, without undefined values.
 */
export const rowJson = <Table extends AnyPgTable>(table: Table, values: RowValues<Table>) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([key, { name }]) => {
      const value: unknown = values[key as keyof typeof values]
      return value === undefined ? [] : [[name, typeof value === 'bigint' ? value.toString() : value]]
    }),
  )
