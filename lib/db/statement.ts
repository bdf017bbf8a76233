import {
  type Column,
  fillPlaceholders,
  type GetColumnData,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { type Item, runItem } from './batch.ts'
import { type Builder, builder } from './builder.ts'
import { type Built, type Compiled, compile, type ResultOf } from './compile.ts'
import type { Db } from './connect.ts'

/** The Postgres types of parameters without a column, with the type of their values. */
type NamedTypes = {
  text: string
  uuid: string
  boolean: boolean
  integer: number
  smallint: number
  'double precision': number
  bigint: bigint | number
  timestamptz: Date
  /** A day as in 2026-11-20. */
  date: string
  json: unknown
  'text[]': readonly string[]
  'uuid[]': readonly string[]
  'smallint[]': readonly number[]
  'bigint[]': readonly bigint[]
  'boolean[]': readonly boolean[]
  'timestamptz[]': readonly Date[]
}

export type TypeName = keyof NamedTypes

/** A parameter's type: a column's type, or a Postgres type by name; `?` marks a nullable one. */
export type Declared = Column | Optional<Column> | TypeName | `${TypeName}?`

type Optional<C extends Column> = { optional: C }

/** Makes a nullable parameter with a column's type. */
export const optional = <C extends Column>(column: C): Optional<C> => ({ optional: column })

type Maybe<T> = T | null | undefined

type ValueOf<D> = D extends Column
  ? GetColumnData<D>
  : D extends Optional<infer C>
    ? Maybe<GetColumnData<C>>
    : D extends TypeName
      ? NamedTypes[D]
      : D extends `${infer T extends TypeName}?`
        ? Maybe<NamedTypes[T]>
        : never

/** The arguments of a caller: every parameter by name. Nullable ones may be left out. */
export type Values<D> = { [K in keyof D as null extends ValueOf<D[K]> ? never : K]: ValueOf<D[K]> } & {
  [K in keyof D as null extends ValueOf<D[K]> ? K : never]?: Maybe<ValueOf<D[K]>>
}

/**
 * A parameter inside a statement. Drizzle accepts SQL wherever it accepts a placeholder, but its types do not
 * always say so.
 */
type Parameter<T = unknown> = SQL<T> & Placeholder<string, T>

/** A statement's parameters by name. */
export type Parameters<D> = { [K in keyof D]: Parameter<ValueOf<D[K]>> }

/**
 * Restricts a shape to switches: booleans, literal strings, and objects of them. So a statement has a limited
 * number of shapes, and no value of a request can be part of one.
 */
type Switches<Shape> = { [Name in keyof Shape]: Switch<Shape[Name]> }

type Switch<T> = T extends boolean
  ? T
  : T extends string
    ? string extends T
      ? never
      : T
    : T extends readonly unknown[] | ((...args: never) => unknown)
      ? never
      : T extends object
        ? Switches<T>
        : never

/** A statement, run with its parameters and a shape. */
type Statement<V, Shape, Result> = {
  /** Runs it in one round trip. */
  run(db: Db, values: V, ...shape: Shape extends undefined ? [] : [Shape]): Promise<Result>
  /** Makes it part of a batch (lib/db/batch.ts). */
  item(values: V, ...shape: Shape extends undefined ? [] : [Shape]): Item<Result>
}

/**
 * Declares a statement with named parameters. `build` must depend only on the shape, a plain object of
 * switches (such as the filters in use), so that no value reaches the text. It is called once for each shape
 * and isolate. Declare a statement that only reads by {@link read}.
 *
 * ```ts
 * const agentRemoval = statement({ id: agents.id }, (db, $) =>
 *   db.delete(agents).where(eq(agents.id, $.id)),
 * )
 * await agentRemoval.run(db, { id })
 * ```
 * @param declared the parameters' types, which are also their casts in the text
 */
export const statement = declaring({ isRead: false })

/**
 * Declares a statement that changes nothing, so that it may be sent again after a lost answer (connect.ts).
 * The declaration decides, not the text, because a `select` can call a function that writes.
 *
 * ```ts
 * const agentById = read({ id: agents.id }, (db, $) =>
 *   db.select().from(agents).where(eq(agents.id, $.id)),
 * )
 * const [agent] = await agentById.run(db, { id })
 * ```
 */
export const read = declaring({ isRead: true })

function declaring({ isRead }: { isRead: boolean }) {
  return <
    const D extends Record<string, Declared>,
    B extends Built,
    Shape extends Switches<Shape> | undefined = undefined,
  >(
    declared: D,
    build: (db: Builder, parameters: Parameters<D>, shape: Shape) => B,
  ): Statement<Values<D>, Shape, ResultOf<B>> => {
    const compiledByShape = new Map<string | undefined, Compiled>()
    const compiledFor = (shape: Shape | undefined): Compiled => {
      const key = JSON.stringify(shape)
      let compiled = compiledByShape.get(key)
      if (!compiled) {
        compiled = compile(build(builder, parametersOf(declared), shape as Shape))
        compiledByShape.set(key, compiled)
      }
      return compiled
    }
    const item = (values: Values<D>, shape: Shape | undefined): Item<ResultOf<B>> => {
      const { text, parameters, arrayMode, resultOf } = compiledFor(shape)
      return {
        text,
        values: fillPlaceholders(parameters, encode(declared, values)),
        isRead,
        arrayMode,
        resultOf: resultOf as Item<ResultOf<B>>['resultOf'],
      }
    }
    return {
      run: async (db, values, ...[shape]) => runItem(db, item(values, shape as Shape | undefined)),
      item: (values, ...[shape]) => item(values, shape as Shape | undefined),
    }
  }
}

/** Makes each parameter with its cast. */
const parametersOf = <D extends Record<string, Declared>>(declared: D) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, type]) => [
      name,
      sql`${sql.placeholder(name)}::${sql.raw(typeName(type))}`,
    ]),
  ) as Parameters<D>

/** Encodes the parameters' values for the driver. */
const encode = (declared: Record<string, Declared>, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(declared).map(([name, type]) => [name, encoded(type, values[name])]))

const typeName = (type: Declared): string => {
  if (typeof type === 'string') return type.replace(/\?$/, '')
  return ('optional' in type ? type.optional : type).getSQLType()
}

/** Encodes a value for the driver. */
function encoded(type: Declared, value: unknown): unknown {
  if (value === null || value === undefined) return null
  const column = typeof type === 'string' ? undefined : 'optional' in type ? type.optional : type
  if (type === 'json' || type === 'json?') return JSON.stringify(value)
  return column === undefined ? plain(value) : plain(column.mapToDriverValue(value))
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(plain) : value
}
