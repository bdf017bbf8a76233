import { API_SCHEMA } from '../../schema/release.ts'
import type { Db, SessionClaim } from './connect.ts'
import { answerOf } from './failures.ts'

/** A statement with its values, ready to send, and a reader of the driver's answer. */
export type Item<Result> = {
  text: string
  values: unknown[]
  /** Returns the values for a session. Only for a function that begins with assert_session. */
  valuesFor?(session: SessionClaim): unknown[]
  /** True if it changes nothing, so that it may be sent again after a lost answer. */
  isRead: boolean
  /** Whether the driver returns rows as lists, or as objects by column name. */
  arrayMode: boolean
  resultOf(answer: unknown): Result
}

type Results<Items extends readonly Item<unknown>[]> = {
  [Index in keyof Items]: ReturnType<Items[Index]['resultOf']>
}

/** Makes a query of the driver, which sends it when it is awaited or in a transaction. */
const queryOf = ({ $client, ofSession }: Db, item: Item<unknown>) => {
  const { text, isRead, arrayMode } = item
  const values = (ofSession && item.valuesFor?.(ofSession)) ?? item.values
  return $client.query(text, values, { arrayMode, fullResults: true, fetchOptions: { isRead } })
}

/**
 * Runs a statement in one round trip.
 * @throws the error of Postgres, UnreadableAnswer, or ApiError session_revoked
 */
export async function runItem<Result>(db: Db, item: Item<Result>): Promise<Result> {
  if (assertionsBefore(db, item)[0]) return (await batch(db, [item]))[0]
  return item.resultOf(await answerOf(queryOf(db, item), db.role))
}

/**
 * Runs statements in one round trip and one transaction. It counts as a read if all statements are reads.
 * For a session, the first statement checks that it is not revoked.
 * @throws the error of Postgres, UnreadableAnswer, or ApiError session_revoked
 */
export async function batch<const Items extends readonly [Item<unknown>, ...Item<unknown>[]]>(
  db: Db,
  items: Items,
): Promise<Results<Items>> {
  const before = assertionsBefore(db, items[0])
  const queries = () => [...before, ...items].map((item) => queryOf(db, item))
  const fetchOptions = { isRead: items.every(({ isRead }) => isRead) }
  const answers: unknown[] = await answerOf(db.$client.transaction(queries, { fetchOptions }), db.role)
  return items.map(({ resultOf }, i) => resultOf(answers[before.length + i])) as Results<Items>
}

/**
 * Makes the check that goes before the first statement of a session. A function of sessions checks the
 * session itself, but not its grant.
 */
const assertionsBefore = ({ ofSession }: Db, first: Item<unknown>): Item<void>[] =>
  ofSession && (ofSession.grant || !first.valuesFor) ? [assertionOf(ofSession)] : []

/** Makes the statement that rejects a revoked session, or one whose grant has ended. */
const assertionOf = ({ wallet, epoch, grant }: SessionClaim): Item<void> => ({
  text: `select ${API_SCHEMA}.assert_session($1::text, $2::integer, $3::uuid)`,
  values: [wallet, epoch, grant],
  isRead: true,
  arrayMode: true,
  resultOf: () => undefined,
})
