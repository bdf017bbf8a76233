import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import {
  facilitatorKeys,
  requestPrices,
  requestRefusals,
  requestResources,
} from '../../../schema/tables/x402.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { agentOf, ownerOfAgent } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { balanceOf } from '../../payments/credit/credit-queries.ts'
import type { Price } from '../checks/requirements.ts'
import type { StoredRoute } from '../resources/extension-responses.ts'
import { KNOWN_PRICE_MS, REFUSAL_PAUSE_MS } from '../rules.ts'

/** The state of an agent that decides whether it can be paid, with its prices. */
type PayableAgent = {
  owner: Wallet
  isActive: boolean
  /** The version of the agent's newest key. */
  keyVersion: number | null
  /** The owner's credit. */
  credit: bigint
  /** The reasons of refusals that were recorded lately. */
  recentReasons: string[]
  apiEndpoint: string | null
  prices: (Price & { route: StoredRoute | undefined })[]
}

const agentWithPrices = read(
  { agentId: requestPrices.agentId, endedAfter: 'timestamptz', refusedAfter: 'timestamptz' },
  (db, $) => {
    const agent = agentOf(db, $.agentId)
    return db
      .select({
        name: requestPrices.name,
        asset: requestPrices.asset,
        amount: requestPrices.amount,
        owner: agent.owner,
        isActive: agent.isActive,
        apiEndpoint: agent.apiEndpoint,
        state: requestResources.state,
        code: requestResources.code,
        keyVersion: sql<number | null>`(
          select ${facilitatorKeys.keyVersion} from ${facilitatorKeys} where ${facilitatorKeys.agentId} = ${$.agentId})`,
        // By the parameter, so that it is read once and not for each price.
        credit: balanceOf(ownerOfAgent($.agentId)),
        recentReasons: sql<string[]>`array(
          select ${requestRefusals.reason} from ${requestRefusals}
          where ${requestRefusals.agentId} = ${$.agentId} and ${requestRefusals.lastAt} > ${$.refusedAfter})`,
      })
      .from(agent)
      .leftJoin(
        requestPrices,
        and(
          eq(requestPrices.agentId, agent.id),
          or(isNull(requestPrices.endedAt), gt(requestPrices.endedAt, $.endedAfter)),
        ),
      )
      .leftJoin(
        requestResources,
        and(eq(requestResources.agentId, agent.id), eq(requestResources.priceName, requestPrices.name)),
      )
  },
)

/**
 * Reads an agent with its prices and their routes, and superseded prices that are still known. It is one
 * statement.
 * @returns undefined if the agent does not exist
 */
export async function findPayable(db: Db, agentId: string, now: Date): Promise<PayableAgent | undefined> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const rows = await agentWithPrices.run(db, {
    agentId,
    endedAfter: before(KNOWN_PRICE_MS),
    refusedAfter: before(REFUSAL_PAUSE_MS),
  })
  const [agent] = rows
  const prices = rows.flatMap(({ name, asset, amount, state, code }) =>
    name === null || asset === null || amount === null
      ? []
      : [{ name, asset, amount, route: state === null ? undefined : { state, code } }],
  )
  return agent && { ...agent, prices }
}
