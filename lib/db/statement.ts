import {
  type Column,
  fillPlaceholders,
  type GetColumnData,
  is,
  type Placeholder,
  SQL,
  sql,
} from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Db } from './connect.ts'
import { answerOf } from './failures.ts'

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
  json: unknown
  'text[]': readonly string[]
  'uuid[]': readonly string[]
  'smallint[]': readonly number[]
  'bigint[]': readonly bigint[]
  'timestamptz[]': readonly Date[]
}

type TypeName = keyof NamedTypes

/** A parameter's type: that of a column, or a Postgres type by name; `?` marks one that may be null. */
type Declared = Column | Optional<Column> | TypeName | `${TypeName}?`

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

/** What a caller gives: every parameter by name, those that may be null only if they are not. */
type Values<D> = { [K in keyof D as null extends ValueOf<D[K]> ? never : K]: ValueOf<D[K]> } & {
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
 * What a statement is built of: a query of Drizzle's, or SQL text whose rows are as the database names them.
 */
type Built = SQL | Preparable

type Preparable = {
  prepare(name: string): {
    execute(values?: Record<string, unknown>): Promise<unknown>
    getQuery(): { sql: string; params: unknown[] }
  }
}

/** The rows of SQL text, and how many it returned or changed. */
type RawResult<Row> = { rows: Row[]; rowCount: number }

type ResultOf<B> =
  B extends SQL<infer Row>
    ? RawResult<Row>
    : B extends { prepare(name: string): { execute(): Promise<infer Result> } }
      ? Result
      : never

/** A statement: its parameters are given when it runs, its shape is one of a few. */
type Statement<V, Shape, Result> = {
  /** Runs it: one round trip. */
  run(db: Db, values: V, ...shape: Shape extends undefined ? [] : [Shape]): Promise<Result>
  /** The same as a part of a batch (lib/db/batch.ts). */
  item(db: Db, values: V, ...shape: Shape extends undefined ? [] : [Shape]): RunnableQuery<Result, 'pg'>
}

/**
 * Declares a statement over named parameters. `build` must depend on nothing but the shape, a plain object of
 * switches (which filters, which kind): no value reaches the text, so that it can be compiled once for each
 * shape.
 *
 * ```ts const agentById = statement({ id: agents.id }, (db, $) =>
 * db.select().from(agents).where(eq(agents.id, $.id))) const [agent] = await agentById.run(db, { id })
 * ```
 * @param declared each parameter's type, which is also its cast in the text
 */
export function statement<
  const D extends Record<string, Declared>,
  B extends Built,
  Shape extends object | undefined = undefined,
>(
  declared: D,
  build: (db: Db, parameters: Parameters<D>, shape: Shape) => B,
): Statement<Values<D>, Shape, ResultOf<B>> {
  const parameters = Object.fromEntries(
    Object.entries(declared).map(([name, type]) => [
      name,
      sql`${sql.placeholder(name)}::${sql.raw(typeName(type))}`,
    ]),
  ) as Parameters<D>
  const encode = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(declared).map(([name, type]) => [name, encoded(type, values[name])]))
  const compile = (db: Db, shape: Shape | undefined) => compiled(build(db, parameters, shape as Shape))
  return {
    run: (db, values, ...[shape]) =>
      compile(db, shape as Shape | undefined).run(db, encode(values as Record<string, unknown>)) as Promise<
        ResultOf<B>
      >,
    item: (db, values, ...[shape]) =>
      compile(db, shape as Shape | undefined).item(encode(values as Record<string, unknown>)) as ReturnType<
        Statement<Values<D>, Shape, ResultOf<B>>['item']
      >,
  }
}

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

/** A statement as text, with what runs it and what maps its rows. */
type Compiled = {
  run(db: Db, values: Record<string, unknown>): Promise<unknown>
  item(values: Record<string, unknown>): BatchItem<'pg'>
}

const dialect = new PgDialect()

function compiled(built: Built): Compiled {
  if (is(built, SQL)) {
    const text = dialect.sqlToQuery(built)
    const filled = (values: Record<string, unknown>) => fillPlaceholders(text.params, values)
    return {
      run: (db, values) =>
        answerOf(clientOf(db).query(text.sql, filled(values), { arrayMode: false, fullResults: true })),
      item: (values) => batchItem({ sql: text.sql, params: filled(values) }, false, (result) => result),
    }
  }
  const prepared = built.prepare('statement') as unknown as MappedQuery
  const text = prepared.getQuery()
  return {
    run: (_db, values) => prepared.execute(values),
    item: (values) =>
      batchItem({ sql: text.sql, params: fillPlaceholders(text.params, values) }, true, (result) =>
        prepared.mapResult(result, true),
      ),
  }
}

/** The driver's client that `connect` has made the database of. */
type Client = { query(text: string, params: unknown[], options: object): Promise<unknown> }
const clientOf = (db: Db): Client => (db as unknown as { $client: Client }).$client

/** What Drizzle's prepared queries have beside their public types. */
type MappedQuery = ReturnType<Preparable['prepare']> & {
  mapResult(result: unknown, isBatch: boolean): unknown
}

/** What `db.batch` asks of its items (drizzle-orm/neon-http/session.js). */
const batchItem = (
  query: { sql: string; params: unknown[] },
  inArrayMode: boolean,
  mapResult: (result: unknown) => unknown,
): BatchItem<'pg'> =>
  ({
    _prepare: () => ({ getQuery: () => query, isResponseInArrayMode: () => inArrayMode, mapResult }),
  }) as unknown as BatchItem<'pg'>
