import { Column, type DriverValueDecoder, getTableName, is, noopDecoder, SQL } from 'drizzle-orm'

/** A value that a query selects, and its place in a row's object, as Drizzle lists them. */
export type Field = { path: string[]; field: Column | SQL | SQL.Aliased }

/**
 * Makes what reads a query's rows, as Drizzle's mapResultRow does (drizzle-orm/utils.js), but asks what kind
 * each field is once for a statement instead of once for each value. The part of a joined table is null when
 * its first column is: the join has found nothing.
 * @param isJoined of a query with joins, the tables that every row has, by name
 * @throws RangeError for a part within a part, which no statement has
 */
export function rowReader(fields: readonly Field[], isJoined?: Readonly<Record<string, boolean>>) {
  const cells = fields.map(cellOf)
  const mayBeMissing = isJoined === undefined ? [] : partsOf(fields).filter(({ table }) => !isJoined[table])
  return (values: readonly unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < cells.length; i++) {
      const { part, key, decode } = cells[i] as Cell
      const value = values[i] === null || decode === undefined ? values[i] : decode(values[i])
      if (part === undefined) row[key] = value
      else {
        row[part] ??= {}
        ;(row[part] as Record<string, unknown>)[key] = value
      }
    }
    for (const { part, first } of mayBeMissing) if (values[first] === null) row[part] = null
    return row
  }
}

/** What reads a value and where it goes. A value without `decode` stays as the driver gives it. */
type Cell = { part: string | undefined; key: string; decode: ((value: unknown) => unknown) | undefined }

const PLAIN = [noopDecoder.mapFromDriverValue, Column.prototype.mapFromDriverValue]

function cellOf({ path, field }: Field): Cell {
  const [key, part, ...outer] = path.toReversed()
  if (key === undefined || outer.length > 0) throw new RangeError(`no place in a row: ${path.join('.')}`)
  const decoder = is(field, Column) ? field : decoderOf(is(field, SQL.Aliased) ? field.sql : field)
  const isPlain = PLAIN.includes(decoder.mapFromDriverValue)
  return { part, key, decode: isPlain ? undefined : (value) => decoder.mapFromDriverValue(value) }
}

/** Drizzle's types leave it out. */
const decoderOf = (expression: SQL) =>
  (expression as unknown as { decoder: DriverValueDecoder<unknown, unknown> }).decoder

/** The parts of a row that are columns of one table: its name, and which field is the first. */
function partsOf(fields: readonly Field[]): { part: string; table: string; first: number }[] {
  const found = new Map<string, { part: string; tables: Set<string>; first: number }>()
  fields.forEach(({ path: [part = '', key], field }, index) => {
    if (key === undefined || !is(field, Column)) return
    const known = found.get(part) ?? { part, tables: new Set<string>(), first: index }
    found.set(part, { ...known, tables: known.tables.add(getTableName(field.table)) })
  })
  return [...found.values()].flatMap(({ part, tables: [table, ...others], first }) =>
    table === undefined || others.length > 0 ? [] : [{ part, table, first }],
  )
}
