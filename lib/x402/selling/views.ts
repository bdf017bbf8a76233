import type { Wire } from '../../../schema/wire/common.ts'
import type { RequestSelling } from '../../../schema/wire/x402/selling-answers.ts'
import type { Selling } from './read.ts'

/** Returns what an agent lacks to sell requests, as its owner sees it. */
export const sellingView = ({ agentId, missing, refusals }: Selling): Wire<typeof RequestSelling> => ({
  agentId,
  missing,
  refusals: refusals.map(({ reason, firstAt, lastAt }) => ({
    reason,
    since: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  })),
})
