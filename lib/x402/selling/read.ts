import type { RequestRefusalReason, SellingNeed } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { RequestSelling } from '../../../schema/wire/x402.ts'
import { answer } from '../../answer.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import type { FacilitatorSettings } from '../facilitator/deps.ts'
import { debitOf, USUAL_NETWORK_FEE } from '../rules.ts'
import { sellingOf } from './selling-queries.ts'

type RequestRefusal = { reason: RequestRefusalReason; firstAt: Date; lastAt: Date }

/** What an agent lacks to sell requests, and why its payments are refused. */
type Selling = { agentId: string; missing: SellingNeed[]; refusals: RequestRefusal[] }

/**
 * Reads what an agent of the wallet lacks to sell requests, and the reasons of refused payments since the
 * last settled one. It is one statement and asks no node: the token account is missing if a payment was
 * refused for it.
 * @param settings.fee X402_FEE: the least debit of credit for a payment
 * @throws ApiError `agent_not_found`
 */
export async function readSelling(
  { db, settings: { fee } }: { db: Db; settings: { fee: bigint } },
  owner: Wallet,
  agentId: string,
): Promise<Selling> {
  const rows = await sellingOf.run(db, { agentId, owner, fee })
  const [agent] = rows
  if (!agent) throw new ApiError('agent_not_found', 'No agent of this wallet has this id.')
  const refusals = rows.flatMap(({ reason, firstAt, lastAt }): RequestRefusal[] =>
    reason && firstAt && lastAt ? [{ reason, firstAt, lastAt }] : [],
  )
  return { agentId, missing: agent.missing, refusals }
}

/** Returns what an agent lacks to sell requests, as its owner sees it, and what a payment costs the owner. */
export const sellingView = (
  { agentId, missing, refusals }: Selling,
  settings: Pick<FacilitatorSettings, 'fee' | 'credPerSol'>,
): Wire<typeof RequestSelling> =>
  answer(RequestSelling, {
    agentId,
    usualDebit: debitOf(USUAL_NETWORK_FEE, settings),
    missing,
    refusals: refusals.map(({ reason, firstAt, lastAt }) => ({ reason, since: firstAt, lastAt })),
  })
