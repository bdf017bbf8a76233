import { type SQL, sql } from 'drizzle-orm'
import { hires } from '../../../schema/tables/hires.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** A hire in its present state, with the start of its period. */
export type PresentHire = typeof hires.$inferSelect & { periodStart: Date }

const dueEnds = read({ window: 'integer' }, (db, $) => {
  const { status, expiresAt, paidAt, outcome, termDays } = hires
  const earliestOf = (queue: SQL, also: SQL = sql``) => sql`(select ${expiresAt} from ${hires}
    where ${status} = 'active' and ${queue} ${also} order by ${expiresAt} limit 1)`
  // Each is one range of an index.
  const [paid, unpaid] = [sql`${paidAt} is not null`, sql`${paidAt} is null`]
  const instant = (value: SQL) => value.mapWith(expiresAt) as SQL<Date | null>
  const earliest = db
    .select({ first: instant(sql`least(${earliestOf(paid)}, ${earliestOf(unpaid)})`).as('first') })
    .from(sql`(select) as once`)
    .as('earliest')
  const isPaidLately = sql`${paidAt} >= ${expiresAt} - make_interval(secs => 2 * 86400 * ${termDays})`
  const inWindow = sql`and ${expiresAt} <= ${earliest.first} + make_interval(secs => ${$.window})`
  const wanted = sql`least(${earliestOf(paid, sql`${inWindow} and (${outcome} is null or ${isPaidLately})`)},
    ${earliestOf(unpaid, sql`${inWindow} and ${outcome} is null`)})`
  return db.select({ first: earliest.first, wanted: instant(wanted) }).from(earliest)
})

/**
 * The next ends of active hires' terms: the first of all, and the first urgent one within a window after it.
 * An end is urgent if the term is the hire's first, or a charge was collected for it or for the term before.
 */
export type DueEnds = { first: Date | null; wanted: Date | null }

export async function selectDueEnds(db: Db, windowMs: number): Promise<DueEnds> {
  const [ends] = await dueEnds.run(db, { window: windowMs / 1_000 })
  return ends ?? { first: null, wanted: null }
}
