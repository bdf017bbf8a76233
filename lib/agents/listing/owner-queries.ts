import { and, eq, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { everyWord, wordsOf } from '../../discovery/search/queries.ts'
import { requestNeeds } from '../queries.ts'
import type { AgentCursor, ListedAgent } from './cursor.ts'
import {
  agentsOfPage,
  inOrderOf,
  isWantedNext,
  type ListShape,
  listParameters,
  listValues,
  placed,
  START,
  shapeOf,
} from './list-queries.ts'
import { type AgentSearch, isFound, searchParameters, searchValues } from './search-queries.ts'

const parameters = { ...listParameters, ...searchParameters, owner: agents.pubkey }

const ownedPage = read(parameters, (db, $, by: ListShape) => {
  const { sort } = by
  const query = everyWord(sql`(${wordsOf($.text)}) as words`)
  const matches = and(eq(agents.pubkey, $.owner), isWantedNext($, sort), isFound($, query))
  const page = sql`
    select ${agents.id} from ${agents} where ${matches} order by ${inOrderOf(placed(sort), sort)} limit ${$.limit}`
  return agentsOfPage(db, page, by, requestNeeds($.requestFee))
})

/**
 * Returns up to `limit` agents of a wallet, with the filters of selectAgents and searchAgents. Postgres reads
 * all agents of the wallet to find them; a quota limits their number.
 */
export const selectAgentsOf = (
  db: Db,
  { owner, ...search }: AgentSearch & { owner: Wallet },
  after: AgentCursor = START,
  limit: number,
): Promise<ListedAgent[]> =>
  ownedPage.run(db, { ...listValues(search, after, limit), ...searchValues(search), owner }, shapeOf(search))
