import { and, desc, eq, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { everyWord, wordsOf } from '../../discovery/search/queries.ts'
import type { ReadAgent } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'
import { agentsOfPage, isWanted, listParameters, listValues, START } from './list-queries.ts'
import { type AgentSearch, isFound, searchParameters, searchValues } from './search-queries.ts'

const ownedPage = read({ ...listParameters, ...searchParameters, owner: agents.pubkey }, (db, $) => {
  const query = everyWord(sql`(${wordsOf('simple', $.text)}) as words`)
  const isOne = and(eq(agents.pubkey, $.owner), isWanted($), isFound($, query))
  return agentsOfPage(
    db,
    sql`select ${agents.id} from ${agents} where ${isOne}
      order by ${desc(agents.reputationScore)}, ${desc(agents.id)} limit ${$.limit}`,
  )
})

/**
 * Reads up to `limit` agents of a wallet, as selectAgents does of all, or searchAgents with `q`. All agents
 * of the wallet are looked at: their quota says how many there can be.
 */
export const selectAgentsOf = (
  db: Db,
  { owner, ...search }: AgentSearch & { owner: Wallet },
  after: AgentCursor = START,
  limit: number,
): Promise<ReadAgent[]> =>
  ownedPage.run(db, { ...listValues(search, after, limit), ...searchValues(search), owner })
