import type { Cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import { agentNotFound } from './errors.ts'

/** The terms under which an agent is sent jobs. `minPrice` is in lamports of CRED. */
type JobTerms = { minPrice: bigint; workMinutes: number; judges: string[] }

/**
 * Sets the terms under which an agent is sent jobs, for its owner. Without terms it is sent none any more;
 * orders that are open stay.
 * @throws ApiError agent_not_found, also for another owner's agent; invalid_request if the owner is a judge
 */
export async function setJobTerms(
  { db, now }: { db: Db; now: Date },
  owner: Wallet,
  agentId: string,
  terms?: JobTerms,
): Promise<void> {
  const given = terms && { ...terms, minPrice: terms.minPrice as Cred }
  const { outcome } = await postgres.setJobTerms.call(db, { agentId, owner, ...given, now })
  if (outcome === 'agent_not_found') throw agentNotFound()
  if (outcome === 'own_judge')
    throw new ApiError('invalid_request', 'The owner of an agent can’t judge its jobs.', {
      errors: [{ path: 'judges', message: 'must not contain the agent’s owner' }],
    })
}
