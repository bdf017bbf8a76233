import { type Column, getTableColumns, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { type AnyPgTable, type PgColumnBuilderBase, pgTable } from 'drizzle-orm/pg-core'

/** A CTE with these columns of a table. */
export type Columns<Row, Names extends keyof Row = keyof Row> = WithSubquery & { [Name in Names]: SQLWrapper }

/**
 * Returns the columns of a CTE or subquery, for a nested selection: `select({ hire: columnsOf(created) })`.
 */
export const columnsOf = <Columns>(subquery: { _: { selectedFields: Columns } }): Columns =>
  subquery._.selectedFields

/** Lists the names of columns without their table, for an insert. */
export const names = (...columns: Column[]): SQL =>
  sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )

/**
 * Declares columns that a CTE of SQL text computes and no table has:
 * `db.$with('due', { id: hires.id, ...computed({ renews: boolean() }) })`.
 * The text refers to the same handle, so that a renamed column does not compile:
 * `… as ${name(dueColumns.renews)}`.
 */
export const computed = <Columns extends Record<string, PgColumnBuilderBase>>(columns: Columns) =>
  // Drizzle caches column names by the table's name, so it must be unique.
  getTableColumns(pgTable(`computed ${Object.keys(columns)}`, columns))

/**
 * Makes a row source from a JSON array of objects whose members have the columns' names.
 * @param columns see {@link computed}
 */
export const recordset = (json: SQLWrapper, columns: Record<string, Column>): SQL => {
  const definitions = Object.values(columns).map(
    (column) => sql`${name(column)} ${sql.raw(column.getSQLType())}`,
  )
  return sql`json_to_recordset(${json}) as record (${sql.join(definitions, sql`, `)})`
}

/** Returns the name of a column without its table. */
export const name = (column: Column): SQL => sql`${sql.identifier(column.name)}`

/**
 * Returns the fields of a select whose rows are inserted: a value for each column, in the table's order.
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

/** The condition that a CTE has rows. */
export const hasRows = (cte: { _: { alias: string } }): SQL<boolean> =>
  sql<boolean>`exists (select from ${sql.identifier(cte._.alias)})`

/** Values of some of a table's columns. */
export type RowValues<Table extends AnyPgTable> = {
  [Key in keyof Table['$inferInsert']]?: Table['$inferInsert'][Key] | undefined
}

/**
 * Encodes values of a table's columns for json_populate_record: a JSON object by column names, without
 * undefined values.
 */
export const rowJson = <Table extends AnyPgTable>(table: Table, values: RowValues<Table>) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([key, { name }]) => {
      const value: unknown = values[key as keyof typeof values]
      return value === undefined ? [] : [[name, typeof value === 'bigint' ? value.toString() : value]]
    }),
  )
