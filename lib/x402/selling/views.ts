import type { Wire } from '../../../schema/wire/common.ts'
import { RequestSelling } from '../../../schema/wire/x402.ts'
import { answer } from '../../answer.ts'
import type { FacilitatorSettings } from '../facilitator/deps.ts'
import { debitOf, USUAL_NETWORK_FEE } from '../rules.ts'
import type { Selling } from './read.ts'

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
