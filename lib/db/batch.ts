import type { Db } from './connect.ts'
import { answerOf } from './failures.ts'

/** A statement with its values, ready to be sent, and what reads the driver's answer to it. */
export type Item<Result> = {
  text: string
  values: unknown[]
  /** Whether it changes nothing, so that it may be sent again when its answer was lost. */
  isRead: boolean
  /** How the driver is to give the rows: as lists, or as objects by the names that the database gives. */
  arrayMode: boolean
  resultOf(answer: unknown): Result
}

type Results<Items extends readonly Item<unknown>[]> = {
  [Index in keyof Items]: ReturnType<Items[Index]['resultOf']>
}

/** An item as a query of the driver's, which is sent when it is awaited or part of a transaction. */
const queryOf = ({ $client }: Db, { text, values, isRead, arrayMode }: Item<unknown>) =>
  $client.query(text, values, { arrayMode, fullResults: true, fetchOptions: { isRead } })

/**
 * Runs a statement: one round trip.
 * @throws what Postgres refused, or UnreadableAnswer
 */
export const runItem = async <Result>(db: Db, item: Item<Result>): Promise<Result> =>
  item.resultOf(await answerOf(queryOf(db, item)))

/**
 * Runs statements in one round trip and one transaction, which is a read if all of them are.
 * @throws what Postgres refused, or UnreadableAnswer
 */
export async function batch<const Items extends readonly [Item<unknown>, ...Item<unknown>[]]>(
  db: Db,
  items: Items,
): Promise<Results<Items>> {
  const queries = () => items.map((item) => queryOf(db, item))
  const fetchOptions = { isRead: items.every(({ isRead }) => isRead) }
  const answers: unknown[] = await answerOf(db.$client.transaction(queries, { fetchOptions }))
  return items.map(({ resultOf }, i) => resultOf(answers[i])) as Results<Items>
}
