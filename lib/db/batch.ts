import type { Db, SessionClaim } from './connect.ts'
import { answerOf } from './failures.ts'
import { assertionOf } from './session.ts'

/** A statement with its values, ready to be sent, and what reads the driver's answer to it. */
export type Item<Result> = {
  text: string
  values: unknown[]
  /** Of a function that begins with the assertion of the session: its values for that session. */
  valuesFor?(session: SessionClaim): unknown[]
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
const queryOf = ({ $client, ofSession }: Db, item: Item<unknown>) => {
  const { text, isRead, arrayMode } = item
  const values = (ofSession && item.valuesFor?.(ofSession)) ?? item.values
  return $client.query(text, values, { arrayMode, fullResults: true, fetchOptions: { isRead } })
}

/**
 * Runs a statement: one round trip.
 * @throws what Postgres refused, UnreadableAnswer, or Refusal session_revoked
 */
export async function runItem<Result>(db: Db, item: Item<Result>): Promise<Result> {
  if (db.ofSession && !item.valuesFor) return (await batch(db, [item]))[0]
  return item.resultOf(await answerOf(queryOf(db, item), db.role))
}

/**
 * Runs statements in one round trip and one transaction, which is a read if all of them are. For a session
 * the first of them asserts it: a function that begins so, or else the assertion by itself.
 * @throws what Postgres refused, UnreadableAnswer, or Refusal session_revoked
 */
export async function batch<const Items extends readonly [Item<unknown>, ...Item<unknown>[]]>(
  db: Db,
  items: Items,
): Promise<Results<Items>> {
  const before = db.ofSession && !items[0].valuesFor ? [assertionOf(db.ofSession)] : []
  const queries = () => [...before, ...items].map((item) => queryOf(db, item))
  const fetchOptions = { isRead: items.every(({ isRead }) => isRead) }
  const answers: unknown[] = await answerOf(db.$client.transaction(queries, { fetchOptions }), db.role)
  return items.map(({ resultOf }, i) => resultOf(answers[before.length + i])) as Results<Items>
}
