import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** The agents on a page of the sitemap: the most that its protocol allows. */
const PER_PAGE = 50_000

const isInMarket = and(eq(agents.status, 'active'), eq(agents.isListed, true))

// Ids are in the order of their time, so a new agent changes only the last page.
const firstIds = read({}, (db) => {
  const numbered = db
    .select({ id: agents.id, place: sql<number>`row_number() over (order by ${agents.id})`.as('place') })
    .from(agents)
    .where(isInMarket)
    .as('numbered')
  return db
    .select({ id: numbered.id })
    .from(numbered)
    .where(sql`${numbered.place} % ${sql.raw(String(PER_PAGE))} = 1`)
    .orderBy(asc(numbered.id))
})

/** Returns the id of the first agent on each page of the sitemap. */
export const selectFirstIds = async (db: Db): Promise<string[]> =>
  (await firstIds.run(db, {})).map(({ id }) => id)

const idsFrom = read({ first: agents.id }, (db, $) =>
  db
    .select({ id: agents.id })
    .from(agents)
    .where(and(isInMarket, gte(agents.id, $.first)))
    .orderBy(asc(agents.id))
    .limit(PER_PAGE),
)

/** Returns the ids of the agents on a page of the sitemap. */
export const selectIdsFrom = async (db: Db, first: string): Promise<string[]> =>
  (await idsFrom.run(db, { first })).map(({ id }) => id)
