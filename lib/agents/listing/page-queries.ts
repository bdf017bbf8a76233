import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { requestNeeds } from '../queries.ts'
import type { AgentCursor, ListedAgent } from './cursor.ts'
import {
  type AgentFilter,
  agentsOfPage,
  idsInRanges,
  type ListShape,
  listParameters,
  listValues,
  START,
  shapeOf,
} from './list-queries.ts'

const agentPage = read(listParameters, (db, $, by: ListShape) =>
  agentsOfPage(db, idsInRanges($, by), by, requestNeeds($.requestFee)),
)

/** Reads up to `limit` agents in the list's order, for filters that are index ranges. */
export const selectAgents = (
  db: Db,
  filter: AgentFilter,
  after: AgentCursor = START,
  limit: number,
): Promise<ListedAgent[]> => agentPage.run(db, listValues(filter, after, limit), shapeOf(filter))
