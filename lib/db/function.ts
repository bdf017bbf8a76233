import { type SQL, sql } from 'drizzle-orm'
import { API_SCHEMA } from '../../schema/release.ts'
import { batch, type Item, runItem } from './batch.ts'
import type { Db } from './connect.ts'
import { type Declared, statement, type TypeName, type Values } from './statement.ts'

/** A result's Postgres type; `?` marks one that may be null. */
type ResultType = TypeName | `${TypeName}?`

/** What reads a value that the driver gives as text. Values of other types stay as the driver gives them. */
const decoders: { [Type in TypeName]?: (value: string) => unknown } = {
  bigint: BigInt,
  timestamptz: (text) => new Date(text),
}

/** A function of Postgres (schema/functions), which returns rows of `Row`. */
type PostgresFunction<V, Row> = {
  /**
   * Calls it: one round trip.
   * @returns its only row
   */
  call(db: Db, values: V): Promise<Row>
  /**
   * Calls it, and reads what it has left in the same round trip and transaction.
   * @returns its only row, and the rows that were read
   */
  callThenRead<Rows>(db: Db, values: V, read: Item<Rows>): Promise<[Row, Rows]>
  /** Calls a function that returns any number of rows. */
  rows(db: Db, values: V): Promise<Row[]>
  /** The call as a part of a batch (lib/db/batch.ts). */
  item(values: V): Item<Row[]>
}

/** A session's wallet and generation: the first parameters of functions that begin with assert_session. */
const SESSION_PARAMETERS = { sessionWallet: 'text?', sessionGeneration: 'integer?' } as const

/**
 * Declares a function of Postgres. `npm run generate -- functions` writes these declarations
 * (lib/db/functions.ts) from the database's catalog and the heads of the functions' files.
 * @param parameters each one's type, in the function's order
 * @param results each result's type by name
 */
export const postgresFunction = declaring({ isOfSession: false })

/**
 * The same for a function that begins with assert_session: a session's database (session.ts) says for which
 * session it is called. Called through any other, it is called for none.
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
      // Without casts: no two functions have the same name, so each parameter has the function's type.
      const given = Object.keys(all).map((parameter) => sql.placeholder(parameter))
      const declared = statement(all, (db) =>
        db
          .select(fieldsOf(results))
          .from(sql`${sql.identifier(API_SCHEMA)}.${sql.identifier(name)}(${sql.join(given, sql`, `)})`),
      )
      const item = (values: Values<D>): Item<Row[]> => {
        const called = declared.item(values as never) as Item<Row[]>
        if (!isOfSession) return called
        const valuesFor: Item<Row[]>['valuesFor'] = ({ wallet, generation }) =>
          declared.item({ ...values, sessionWallet: wallet, sessionGeneration: generation } as never).values
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

/** The columns of a call, each named as the function names it. */
const fieldsOf = (results: Record<string, ResultType>): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(results).map(([key, type]) => {
      const column = sql`${sql.identifier(key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))}`
      const decode = decoders[type.replace(/\?$/, '') as TypeName]
      return [key, decode === undefined ? column : column.mapWith(decode)]
    }),
  )
