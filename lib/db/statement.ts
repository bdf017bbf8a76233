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

/** The Postgres types of parameters that stand for no column, and what a caller gives for each. */
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

/** A parameter's type: that of a column, or a Postgres type by name; `?` marks one that may be null. */
export type Declared = Column | Optional<Column> | TypeName | `${TypeName}?`

type Optional<C extends Column> = { optional: C }

/** A column's type for a parameter that may be null although the column may not. */
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

/** The arguments of a caller: every parameter by name; one that may be null may be left out. */
export type Values<D> = { [K in keyof D as null extends ValueOf<D[K]> ? never : K]: ValueOf<D[K]> } & {
  [K in keyof D as null extends ValueOf<D[K]> ? K : never]?: Maybe<ValueOf<D[K]>>
}

/**
 * A parameter inside a statement. Drizzle takes SQL wherever it takes a placeholder; its types say so in some
 * places only.
 */
type Parameter<T = unknown> = SQL<T> & Placeholder<string, T>

/** A statement's parameters by name. */
export type Parameters<D> = { [K in keyof D]: Parameter<ValueOf<D[K]>> }

/**
 * Holds a shape to switches: booleans, words of a closed set, and objects of them. So a statement has a known
 * number of shapes, however many requests there are, and no value of a request can be a part of one.
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

/** A statement: its parameters are given when it runs, its shape is one of a few. */
type Statement<V, Shape, Result> = {
  /** Runs it: one round trip. */
  run(db: Db, values: V, ...shape: Shape extends undefined ? [] : [Shape]): Promise<Result>
  /** The same as a part of a batch (lib/db/batch.ts). */
  item(values: V, ...shape: Shape extends undefined ? [] : [Shape]): Item<Result>
}

/**
 * Declares a statement over named parameters. `build` must depend on nothing but the shape, a plain object of
 * switches (which filters, which kind): no value reaches the text. It is called once for each shape and
 * isolate, by the first request that runs it. One that only reads is declared by {@link read}.
 *
 * ```ts
 * const agentRemoval = statement({ id: agents.id }, (db, $) =>
 *   db.delete(agents).where(eq(agents.id, $.id)),
 * )
 * await agentRemoval.run(db, { id })
 * ```
 * @param declared each parameter's type, which is also its cast in the text
 */
export const statement = declaring({ isRead: false })

/**
 * Declares a statement that changes nothing, and may therefore be sent again when its answer was lost
 * (connect.ts). Nothing but this declaration says so: a `select` can call a function that writes.
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

/** Each parameter with its cast. */
const parametersOf = <D extends Record<string, Declared>>(declared: D) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, type]) => [
      name,
      sql`${sql.placeholder(name)}::${sql.raw(typeName(type))}`,
    ]),
  ) as Parameters<D>

/** Every parameter's value as the driver sends it. */
const encode = (declared: Record<string, Declared>, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(declared).map(([name, type]) => [name, encoded(type, values[name])]))

const typeName = (type: Declared): string => {
  if (typeof type === 'string') return type.replace(/\?$/, '')
  return ('optional' in type ? type.optional : type).getSQLType()
}

/** A value as the driver sends it. */
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
