import { Column, type DriverValueDecoder, getTableName, is, noopDecoder, SQL } from 'drizzle-orm'

/** A selected value, and its path in a row's object. */
export type Field = { path: string[]; field: Column | SQL | SQL.Aliased }

type Row = Record<string, unknown>
type Decode = (value: unknown) => unknown

/** The place of a value: a member of the row, or of the object `of` in the row. */
type Place = { key: string; of: string | undefined; decode: Decode | undefined }

/**
 * Makes a reader of a query's rows, with the results of Drizzle's mapResult. That one looks up the kind of a
 * field again for each value.
 * @param isInEveryRow for a query with joins, by a table's name: false for an outer join. An object of such a
 * table's columns is null if its first value is
 * @returns a function of the driver's values in order
 */
export function rowReader(
  fields: readonly Field[],
  isInEveryRow?: Readonly<Record<string, boolean>>,
): (values: readonly unknown[]) => Row {
  const places = fields.map(placeOf)
  const outer = isInEveryRow ? objectsOfOneTable(fields).filter(({ table }) => !isInEveryRow[table]) : []
  return (values) => {
    const row: Row = {}
    places.forEach(({ key, of, decode }, index) => {
      const value = values[index]
      const decoded = value === null || decode === undefined ? value : decode(value)
      if (of === undefined) row[key] = decoded
      else {
        row[of] ??= {}
        ;(row[of] as Row)[key] = decoded
      }
    })
    for (const { of, first } of outer) if (values[first] === null) row[of] = null
    return row
  }
}

/** Decoders that return the value as it is. They are not called. */
const UNCHANGED = [noopDecoder.mapFromDriverValue, Column.prototype.mapFromDriverValue]

/** @throws RangeError for an object in an object, which no query selects */
function placeOf({ path, field }: Field): Place {
  const [key, of, ...others] = path.toReversed()
  if (key === undefined || others.length > 0) throw new RangeError(`${path.join('.')} is too deep in a row`)
  const decoder = is(field, Column) ? field : decoderOf(is(field, SQL.Aliased) ? field.sql : field)
  const isUnchanged = UNCHANGED.includes(decoder.mapFromDriverValue)
  return { key, of, decode: isUnchanged ? undefined : (value) => decoder.mapFromDriverValue(value) }
}

/** Drizzle's types leave the member out. */
const decoderOf = (expression: SQL) =>
  (expression as unknown as { decoder: DriverValueDecoder<unknown, unknown> }).decoder

/** Lists the objects in a row with columns of one table: the table, and the index of the first column. */
function objectsOfOneTable(fields: readonly Field[]): { of: string; table: string; first: number }[] {
  const found = new Map<string, { tables: Set<string>; first: number }>()
  fields.forEach(({ path, field }, index) => {
    const [of] = path
    if (of === undefined || path.length !== 2 || !is(field, Column)) return
    const { tables, first } = found.get(of) ?? { tables: new Set<string>(), first: index }
    found.set(of, { tables: tables.add(getTableName(field.table)), first })
  })
  return [...found].flatMap(
    ([
      of,
      {
        tables: [table, ...others],
        first,
      },
    ]) => (table === undefined || others.length > 0 ? [] : [{ of, table, first }]),
  )
}
