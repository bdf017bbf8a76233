import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { type ReadAgent, requestNeeds } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'
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
): Promise<ReadAgent[]> => agentPage.run(db, listValues(filter, after, limit), shapeOf(filter))
