import { is, SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/**
 * What a statement is built of: a query of Drizzle's, or SQL text whose rows are as the database names them.
 */
export type Built = SQL | Preparable

type Preparable = {
  prepare(name: string): {
    execute(values?: Record<string, unknown>): Promise<unknown>
    getQuery(): { sql: string; params: unknown[] }
    mapResult(answer: unknown): unknown
  }
}

const dialect = new PgDialect()

/** The rows of SQL text, and how many it returned or changed. */
type RawResult<Row> = { rows: Row[]; rowCount: number }

/** What running it gives. */
export type ResultOf<B> =
  B extends SQL<infer Row>
    ? RawResult<Row>
    : B extends { prepare(name: string): { execute(): Promise<infer Result> } }
      ? Result
      : never

/** A statement's text, its parameters in order (Drizzle's placeholders), and what reads an answer to it. */
export type Compiled = {
  text: string
  parameters: unknown[]
  /** How the driver is to give the rows: as lists, or as objects by the names that the database gives. */
  arrayMode: boolean
  resultOf(answer: unknown): unknown
}

/** Makes the text of a built statement: its expensive part, and the same for every request. */
export function compile(built: Built): Compiled {
  if (is(built, SQL)) {
    const { sql, params } = dialect.sqlToQuery(built)
    return { text: sql, parameters: params, arrayMode: false, resultOf: (answer) => answer }
  }
  const prepared = built.prepare('statement')
  const { sql, params } = prepared.getQuery()
  return {
    text: sql,
    parameters: params,
    arrayMode: true,
    resultOf: (answer) => prepared.mapResult(answer),
  }
}
