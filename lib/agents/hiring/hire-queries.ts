import { desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { hireTerm } from '../parts/hire-term.ts'

/** A hire in its present state, with the start of its period. */
export type PresentHire = typeof hires.$inferSelect & { periodStart: Date }

/** A page of a list of hires, newest first. */
export type HirePage = {
  /** Only hires that are in this state now. */
  status?: HireStatus | undefined
  /** Only hires before this one. */
  beforeId?: string | undefined
  limit: number
  now: Date
}

/** An id higher than every id: before it are all hires. */
export const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Selects the ids of one side's newest hires by what they are at `now`.
 * @param side the column of that side, which leads an index with the status and the id
 * @param hasTerm selects its hires that are recorded as active, or those of them past their term, by an index
 */
export function hiresInState(
  side: typeof hires.agentId | typeof hires.wallet,
  $: Record<'side' | 'statuses' | 'beforeId' | 'limit' | 'now', SQLWrapper>,
  hasTerm: SQL,
): SQL {
  const { isLapsed } = hireTerm($.now)
  // The first rows of each recorded status are one range of an index, in order.
  const recorded = sql`
    select first.id from unnest(${$.statuses}) as one_status, lateral (
      select ${hires.id} from ${hires}
      where (${side}, ${hires.status}) >= (${$.side}, one_status)
        and (${side}, ${hires.status}, ${hires.id}) < (${$.side}, one_status, ${$.beforeId})
        and not ${isLapsed}
      order by ${desc(side)}, ${desc(hires.status)}, ${desc(hires.id)} limit ${$.limit}) as first`
  // Also the few hires that have expired since the last job run. "offset 0" stops the planner from reading
  // the due hires of everybody.
  const lapsed = sql`
    select ${hires.id} from (select * from ${hires} where ${hasTerm} offset 0) as ${hires}
    where ${isLapsed} and 'expired' = any (${$.statuses}) and ${hires.id} < ${$.beforeId}`
  return sql`select id from (${recorded} union all ${lapsed}) as found order by id desc limit ${$.limit}`
}

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
