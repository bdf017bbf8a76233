import { type SQL, sql } from 'drizzle-orm'
import { API_SCHEMA } from '../../schema/release.ts'
import { batch, type Item, runItem } from './batch.ts'
import type { Db } from './connect.ts'
import { type Declared, statement, type TypeName, type Values } from './statement.ts'

/** A result's Postgres type; `?` marks a nullable one. */
type ResultType = TypeName | `${TypeName}?`

/** Decodes values that the driver returns as text. Values of other types stay as they are. */
const decoders: { [Type in TypeName]?: (value: string) => unknown } = {
  bigint: BigInt,
  timestamptz: (text) => new Date(text),
}

/** A Postgres function (schema/functions) that returns rows of `Row`. */
type PostgresFunction<V, Row> = {
  /**
   * Calls the function in one round trip.
   * @returns its only row
   */
  call(db: Db, values: V): Promise<Row>
  /**
   * Calls the function, then runs a read, in the same round trip and transaction.
   * @returns the function's only row, and the rows of the read
   */
  callThenRead<Rows>(db: Db, values: V, read: Item<Rows>): Promise<[Row, Rows]>
  /** Calls a function that returns any number of rows. */
  rows(db: Db, values: V): Promise<Row[]>
  /** Makes the call part of a batch (lib/db/batch.ts). */
  item(values: V): Item<Row[]>
}

/** A session's wallet and epoch: the first parameters of functions that begin with assert_session. */
const SESSION_PARAMETERS = { sessionWallet: 'text?', sessionGeneration: 'integer?' } as const

/**
 * Declares a Postgres function. `npm run generate -- functions` writes these declarations
 * (lib/db/functions.ts) from the database's catalog and the heads of the functions' files.
 * @param parameters each one's type, in the function's order
 * @param results each result's type by name
 */
export const postgresFunction = declaring({ isOfSession: false })

/**
 * Declares a function that begins with assert_session. A session's database (session.ts) passes the session;
 * any other database passes none.
 */
export const sessionFunction = declaring({ isOfSession: true })

function declaring({ isOfSession }: { isOfSession: boolean }) {
  return <Row>() =>
    <const D extends Record<string, Declared>>(
      name: string,
      parameters: D,
      results: Record<keyof Row & string, ResultType>,
    ): PostgresFunction<Values<D>, Row> => {
      const all: Record<string, Declared> = isOfSession
        ? { ...SESSION_PARAMETERS, ...parameters }
        : parameters
      // Without casts: function names are unique, so Postgres infers each type from the function.
      const placeholders = Object.keys(all).map((parameter) => sql.placeholder(parameter))
      const declared = statement(all, (db) =>
        db
          .select(fieldsOf(results))
          .from(
            sql`${sql.identifier(API_SCHEMA)}.${sql.identifier(name)}(${sql.join(placeholders, sql`, `)})`,
          ),
      )
      const item = (values: Values<D>): Item<Row[]> => {
        const called = declared.item(values as never) as Item<Row[]>
        if (!isOfSession) return called
        const valuesFor: Item<Row[]>['valuesFor'] = ({ wallet, epoch }) =>
          declared.item({ ...values, sessionWallet: wallet, sessionGeneration: epoch } as never).values
        return { ...called, valuesFor }
      }
      return {
        item,
        call: async (db, values) => only(name, await runItem(db, item(values))),
        rows: (db, values) => runItem(db, item(values)),
        async callThenRead(db, values, read) {
          const [rows, found] = await batch(db, [item(values), read])
          return [only(name, rows as Row[]), found as never]
        },
      }
    }
}

function only<Row>(name: string, [row]: Row[]): Row {
  if (row === undefined) throw new Error(`${name} returned no row`)
  return row
}

/** Returns the columns of a call, by the names in the function. */
const fieldsOf = (results: Record<string, ResultType>): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(results).map(([key, type]) => {
      const column = sql`${sql.identifier(key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))}`
      const decode = decoders[type.replace(/\?$/, '') as TypeName]
      return [key, decode === undefined ? column : column.mapWith(decode)]
    }),
  )
