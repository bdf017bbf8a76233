import type { GenericSchema, InferOutput } from 'valibot'
import type { Wire } from '../schema/wire/common.ts'

/**
 * The row of an answer: a member for each field of its schema. A time may be a Date, and an absent value
 * null. It may have more members, such as all columns of a table: they are left out.
 */
export type RowFor<T> = T extends bigint | number | boolean
  ? T
  : T extends string
    ? string extends T
      ? T | Date
      : T
    : T extends readonly (infer Entry)[]
      ? readonly RowFor<Entry>[]
      : {
          readonly [Field in keyof T]-?: Record<never, never> extends Pick<T, Field>
            ? RowFor<Exclude<T[Field], undefined>> | null | undefined
            : RowFor<T[Field]>
        }

/** The parts of a valibot schema that contains others. */
type Parts = { wrapped?: object; item?: object; entries?: Record<string, object> }

type Writer = (value: unknown) => unknown

/** Writers of schemas, made once for each. */
const writers = new WeakMap<object, Writer>()

/**
 * Makes an answer from a row: exactly the fields that the schema names. Times become text; null is left out.
 */
export const answer = <Schema extends GenericSchema>(
  schema: Schema,
  row: RowFor<InferOutput<Schema>>,
): Wire<Schema> => writerOf(schema)(row) as Wire<Schema>

function writerOf(schema: object): Writer {
  const known = writers.get(schema)
  if (known) return known
  const writer = makeWriter(schema)
  writers.set(schema, writer)
  return writer
}

const writeValue: Writer = (value) => (value instanceof Date ? value.toISOString() : value)

function makeWriter(schema: object): Writer {
  const { wrapped, item, entries }: Parts = schema
  if (wrapped) return writerOf(wrapped)
  if (item) {
    const write = writerOf(item)
    return (list) => (list as unknown[]).map(write)
  }
  if (!entries) return writeValue
  const fields = Object.entries(entries).map(([name, field]) => ({ name, write: writerOf(field) }))
  return (row) => {
    const written: Record<string, unknown> = {}
    for (const { name, write } of fields) {
      const value = (row as Record<string, unknown>)[name]
      if (value !== null && value !== undefined) written[name] = write(value)
    }
    return written
  }
}
