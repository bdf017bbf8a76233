import { is, SQL } from 'drizzle-orm'
import { dialect, type Prepared } from './builder.ts'
import { rowReader } from './rows.ts'

/**
 * The source of a statement: a Drizzle query, or SQL text whose rows have the database's column names.
 */
export type Built = SQL | Preparable

type Preparable = {
  prepare(name: string): {
    execute(values?: Record<string, unknown>): Promise<unknown>
  }
}

/** The rows of SQL text, and how many it returned or changed. */
type RawResult<Row> = { rows: Row[]; rowCount: number }

/** The result of running it. */
export type ResultOf<B> =
  B extends SQL<infer Row>
    ? RawResult<Row>
    : B extends { prepare(name: string): { execute(): Promise<infer Result> } }
      ? Result
      : never

/** A statement's text, its parameters in order (Drizzle's placeholders), and a reader of the answer. */
export type Compiled = {
  text: string
  parameters: unknown[]
  /** Whether the driver returns rows as lists, or as objects by column name. */
  arrayMode: boolean
  resultOf(answer: unknown): unknown
}

/** Compiles a statement to text. This is expensive, and the same for every request. */
export function compile(built: Built): Compiled {
  if (is(built, SQL)) {
    const { sql, params } = dialect.sqlToQuery(built)
    return { text: sql, parameters: params, arrayMode: false, resultOf: (answer) => answer }
  }
  const { query, fields, joinsNotNullableMap } = built.prepare('statement') as unknown as Prepared
  const read = fields && rowReader(fields, joinsNotNullableMap)
  return {
    text: query.sql,
    parameters: query.params,
    arrayMode: true,
    resultOf: (answer) => (read ? (answer as { rows: unknown[][] }).rows.map(read) : answer),
  }
}
