import {
  ACTIVE_AGENTS_PER_WALLET,
  ACTIVE_HIRES_PER_WALLET,
  AGENTS_PER_WALLET,
  ATTESTATIONS_PER_DAY,
  CHARGES_PER_DAY,
  HIRES_PER_DAY,
  UNPAID_CHARGES,
} from '../../schema/values.ts'
import { violatedConstraint } from '../db/failures.ts'
import { Refusal } from '../refusal.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import { TEST_INTERVAL_MS, WEBHOOK_ENDPOINTS_PER_WALLET } from './rules.ts'

/** The checks that refuse one agent too many, with the statement that would have made or activated it. */
const AGENT_CHECKS = ['wallet_quotas_agents_limit', 'wallet_quotas_active_agents_limit']

/** Throws what a registration or a change of an agent has thrown: as the refusal of one agent too many. */
export function refuseAgent(error: unknown): never {
  if (!AGENT_CHECKS.includes(violatedConstraint(error) ?? '')) throw error
  throw new Refusal(
    'quota_exceeded',
    `A wallet has at most ${ACTIVE_AGENTS_PER_WALLET} active agents, and ${AGENTS_PER_WALLET} of any status. Make one inactive first.`,
  )
}

/** Makes the refusal of one new agent, or one new agent endpoint, too many from a client's address. */
export const tooManyAgents = (limit: number, now: Date): Refusal =>
  usedUp('new agents, or new agent endpoints, of an address', { policy: 'agents', limit, per: 'hour', now })

/** Makes the refusal of one change of an agent too many from a client's address. */
export const changedTooOften = (limit: number, now: Date): Refusal =>
  usedUp('changes of agents from one address', {
    policy: 'address-status-changes',
    limit,
    per: 'hour',
    now,
  })

/** Makes the refusal of one endpoint too many. */
export const noSlotForWebhookEndpoint = () =>
  new Refusal(
    'quota_exceeded',
    `A wallet has at most ${WEBHOOK_ENDPOINTS_PER_WALLET} endpoints, the webhooks of its agents aside. Delete one first.`,
  )

/** Makes the refusal of one new webhook endpoint, or one test event, too many from a client's address. */
export const tooManyWebhooks = (limit: number, now: Date): Refusal =>
  usedUp('new webhook endpoints and test events from one address', {
    policy: 'address-webhooks',
    limit,
    per: 'hour',
    now,
  })

/** Makes the refusal of one change of a webhook endpoint too many from a client's address. */
export const tooManyWebhookChanges = (limit: number, now: Date): Refusal =>
  usedUp('changes of webhook endpoints from one address', {
    policy: 'address-webhook-changes',
    limit,
    per: 'hour',
    now,
  })

/** Makes the refusal of a test event too soon after another. */
export const testedTooSoon = () => {
  const period = TEST_INTERVAL_MS / 1000
  return new Refusal('rate_limited', `A wallet gets one test event in ${period} seconds.`, {
    retryAfterSeconds: period,
    quota: { policy: 'ENDPOINT_TEST', limit: 1, period },
  })
}

/** Makes the refusal of an action done as often as one hour or one day (UTC) allows. */
export function usedUp(
  what: string,
  { policy, limit, per, now }: { policy: string; limit: number; per: 'hour' | 'day'; now: Date },
): Refusal {
  const period = per === 'hour' ? HOUR_MS : DAY_MS
  const retryAfterSeconds = Math.ceil((period - (now.getTime() % period)) / 1000)
  return new Refusal('rate_limited', `At most ${limit} ${what} each ${per} (UTC).`, {
    retryAfterSeconds,
    quota: { policy, limit, period: period / 1000 },
  })
}

/** Makes the refusal of one transaction built without tokens too many for an address. */
export const builtTooOften = (limit: number, now: Date): Refusal =>
  usedUp('transactions built without tokens from one address', {
    policy: 'empty-builds',
    limit,
    per: 'hour',
    now,
  })

/* How many charges a wallet's agents may record, and how many of them may stand unpaid. */

/** The checks that refuse one too many, with the charge that was recorded. */
export const CHARGES_CHECK = 'wallet_quotas_charges'
export const UNPAID_CHECK = 'wallet_quotas_unpaid_charges'

/** Makes the refusal of one charge too many on a day. */
export const chargedTooOften = (now: Date): Refusal =>
  usedUp('charges', { policy: 'charges', limit: CHARGES_PER_DAY, per: 'day', now })

/** Makes the refusal of one charge too many from a client's address. */
export const tooManyCharges = (limit: number, now: Date): Refusal =>
  usedUp('charges from one address', { policy: 'address-charges', limit, per: 'hour', now })

/** Makes the refusal of one unpaid charge too many. */
export const tooManyUnpaid = (): Refusal =>
  new Refusal(
    'quota_exceeded',
    `Of a wallet’s charges at most ${UNPAID_CHARGES} more may stand unpaid, voided ones among them, than were ever paid. Collect some first.`,
  )

/* How many credentials a wallet, or a client's address, may record. */

/** The check that refuses one too many on a wallet's day, with the attestation that was recorded. */
export const ATTESTATIONS_CHECK = 'wallet_quotas_attestations'

/** Makes the refusal of one attestation too many on a day. */
export const attestedTooOften = (now: Date): Refusal =>
  usedUp('new attestations', { policy: 'attestations', limit: ATTESTATIONS_PER_DAY, per: 'day', now })

/** Makes the refusal of one attestation too many from a client's address. */
export const tooManyAttestations = (limit: number, now: Date): Refusal =>
  usedUp('new attestations from one address', {
    policy: 'address-attestations',
    limit,
    per: 'hour',
    now,
  })

/*
 * How many hires a wallet may begin, and how many may be active. Triggers on hires count them: hires end in
 * several statements, of which some change the same row of wallet_quotas already.
 */

/** The checks that refuse one too many, with the statement that recorded it. */
export const HIRES_CHECK = 'wallet_quotas_hires'
export const ACTIVE_HIRES_CHECK = 'wallet_quotas_active_hires'

/** Makes the refusal of one hire too many on a day. */
export const hiredTooOften = (now: Date): Refusal =>
  usedUp('new hires', { policy: 'hires', limit: HIRES_PER_DAY, per: 'day', now })

/** Makes the refusal of one hire too many from a client's address. */
export const tooManyHires = (limit: number, now: Date): Refusal =>
  usedUp('new hires from one address', { policy: 'address-hires', limit, per: 'hour', now })

/** Makes the refusal of one active hire too many. */
export const noSlotForHire = (): Refusal =>
  new Refusal(
    'quota_exceeded',
    `A wallet has at most ${ACTIVE_HIRES_PER_WALLET} active hires. End one first.`,
  )
