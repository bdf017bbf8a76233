import { sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import type { AgentCursor, ListedAgent } from './cursor.ts'
import { agentsOfPage, idsInRanges, listParameters, listValues, START, shapeOf } from './list-queries.ts'

const ACTIVE = { status: 'active' } as const

// Without what agents lack to sell requests: that depends on credit, which this Worker may not read.
const activePage = read(listParameters, (db, $) => {
  const by = shapeOf(ACTIVE)
  return agentsOfPage(db, idsInRanges($, by), by, sql<null>`null::text[]`)
})

/** Reads up to `limit` active agents by reputationScore, then newest first. */
export const selectActiveAgents = (
  db: Db,
  after: AgentCursor = START,
  limit: number,
): Promise<ListedAgent[]> => activePage.run(db, listValues(ACTIVE, after, limit))
