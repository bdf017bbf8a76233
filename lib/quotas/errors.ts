import {
  ACTIVE_AGENTS_PER_WALLET,
  ACTIVE_HIRES_PER_WALLET,
  AGENTS_PER_WALLET,
  ATTESTATIONS_PER_DAY,
  CHARGES_PER_DAY,
  HIRES_PER_DAY,
  UNPAID_CHARGES,
} from '../../schema/values.ts'
import { ApiError } from '../api-error.ts'
import { violatedConstraint } from '../db/failures.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import { TEST_INTERVAL_MS, WEBHOOK_ENDPOINTS_PER_WALLET } from './rules.ts'

/** The constraints that limit agents. They reject the statement that makes or activates one too many. */
const AGENT_CHECKS = ['wallet_quotas_agents_limit', 'wallet_quotas_active_agents_limit']

/** Rethrows the error of a registration or change of an agent, as quota_exceeded if a limit caused it. */
export function refuseAgent(error: unknown): never {
  if (!AGENT_CHECKS.includes(violatedConstraint(error) ?? '')) throw error
  throw new ApiError(
    'quota_exceeded',
    `A wallet has at most ${ACTIVE_AGENTS_PER_WALLET} active agents, and ${AGENTS_PER_WALLET} of any status. Deactivate one first.`,
  )
}

/** The error above the new agents and agent endpoints per client address. */
export const tooManyAgents = (limit: number, now: Date): ApiError =>
  usedUp('new agents and agent endpoints from one address', { policy: 'agents', limit, per: 'hour', now })

/** The error above the changes of agents per client address. */
export const changedTooOften = (limit: number, now: Date): ApiError =>
  usedUp('changes of agents from one address', {
    policy: 'address-status-changes',
    limit,
    per: 'hour',
    now,
  })

/** The error above the webhook endpoints of a wallet. */
export const webhookEndpointsFull = () =>
  new ApiError(
    'quota_exceeded',
    `A wallet has at most ${WEBHOOK_ENDPOINTS_PER_WALLET} webhook endpoints, not counting those of its agents. Delete one first.`,
  )

/** The error above the new webhook endpoints and test events per client address. */
export const tooManyWebhooks = (limit: number, now: Date): ApiError =>
  usedUp('new webhook endpoints and test events from one address', {
    policy: 'address-webhooks',
    limit,
    per: 'hour',
    now,
  })

/** The error above the changes of webhook endpoints per client address. */
export const tooManyWebhookChanges = (limit: number, now: Date): ApiError =>
  usedUp('changes of webhook endpoints from one address', {
    policy: 'address-webhook-changes',
    limit,
    per: 'hour',
    now,
  })

/** The error for a test event too soon after another. */
export const testedTooSoon = () => {
  const period = TEST_INTERVAL_MS / 1000
  return new ApiError('rate_limited', `A wallet may send one test event every ${period} seconds.`, {
    retryAfterSeconds: period,
    quota: { policy: 'endpoint-test', limit: 1, period },
  })
}

/** The error above the actions of an hour or a UTC day. */
export function usedUp(
  what: string,
  { policy, limit, per, now }: { policy: string; limit: number; per: 'hour' | 'day'; now: Date },
): ApiError {
  const period = per === 'hour' ? HOUR_MS : DAY_MS
  const retryAfterSeconds = Math.ceil((period - (now.getTime() % period)) / 1000)
  return new ApiError('rate_limited', `At most ${limit} ${what} each ${per} (UTC).`, {
    retryAfterSeconds,
    quota: { policy, limit, period: period / 1000 },
  })
}

/** The error above the transactions built without tokens per client address. */
export const builtTooOften = (limit: number, now: Date): ApiError =>
  usedUp('transactions built without tokens from one address', {
    policy: 'empty-builds',
    limit,
    per: 'hour',
    now,
  })

/* Limits of charges for a wallet's agents, and of unpaid ones. */

/** The constraints that reject a charge above a limit. */
export const CHARGES_CHECK = 'wallet_quotas_charges'
export const UNPAID_CHECK = 'wallet_quotas_unpaid_charges'

/** The error above the charges of a day. */
export const chargedTooOften = (now: Date): ApiError =>
  usedUp('charges', { policy: 'charges', limit: CHARGES_PER_DAY, per: 'day', now })

/** The error above the new jobs per client address. */
export const tooManyJobs = (limit: number, now: Date): ApiError =>
  usedUp('new jobs from one address', { policy: 'address-jobs', limit, per: 'hour', now })

/** The error above the new charges per client address. */
export const tooManyCharges = (limit: number, now: Date): ApiError =>
  usedUp('charges from one address', { policy: 'address-charges', limit, per: 'hour', now })

/** The error above the unpaid charges of a wallet. */
export const tooManyUnpaid = (): ApiError =>
  new ApiError(
    'quota_exceeded',
    `A wallet has at most ${UNPAID_CHARGES} more unpaid charges (voided ones included) than paid ones. Collect some first.`,
  )

/* Limits of credentials per wallet and per client address. */

/** The constraint that rejects an attestation above a wallet's daily limit. */
export const ATTESTATIONS_CHECK = 'wallet_quotas_attestations'

/** The error above the attestations of a day. */
export const attestedTooOften = (now: Date): ApiError =>
  usedUp('new attestations', { policy: 'attestations', limit: ATTESTATIONS_PER_DAY, per: 'day', now })

/** The error above the attestations per client address. */
export const tooManyAttestations = (limit: number, now: Date): ApiError =>
  usedUp('new attestations from one address', {
    policy: 'address-attestations',
    limit,
    per: 'hour',
    now,
  })

/*
 * Limits of new and of active hires. Triggers on hires count them, because hires end in several statements,
 * some of which already change the same row of wallet_quotas.
 */

/** The constraints that reject a hire above a limit. */
export const HIRES_CHECK = 'wallet_quotas_hires'
export const ACTIVE_HIRES_CHECK = 'wallet_quotas_active_hires'

/** The error above the new hires of a day. */
export const hiredTooOften = (now: Date): ApiError =>
  usedUp('new hires', { policy: 'hires', limit: HIRES_PER_DAY, per: 'day', now })

/** The error above the new hires per client address. */
export const tooManyHires = (limit: number, now: Date): ApiError =>
  usedUp('new hires from one address', { policy: 'address-hires', limit, per: 'hour', now })

/** The error above the consents to programs per client address. */
export const tooManyConsents = (limit: number, now: Date): ApiError =>
  usedUp('consents from one address', { policy: 'address-consents', limit, per: 'hour', now })

/** The error above the active hires of a wallet. */
export const activeHiresFull = (): ApiError =>
  new ApiError(
    'quota_exceeded',
    `A wallet has at most ${ACTIVE_HIRES_PER_WALLET} active hires. End one first.`,
  )
